// The one database: schema, migrations, queries, changes.
