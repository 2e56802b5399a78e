import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostSynchronizer
import FencepostWebServer

/// Accounts on servers. The daemon synchronizes them; here they are shown, added and removed.
extension WebApp {
  static let accountRoutes: [Route] = [
    Route(
      "GET", "/accounts", .read, needsAllLists: true, "Accounts on servers, and their state",
      answer: .each("accounts", account)
    ) { app, _ in
      let accounts = try app.store.read { try AccountState.all(in: $0) }
      return app.list("accounts", accounts.map(WebApp.object))
    },
    // The daemon asks any address that this machine reaches.
    Route(
      "POST", "/accounts", .write, isOwners: true, isSlow: true,
      "Add an account on a CalDAV server, by the server's address or a mail address",
      body: .object([
        "address": .text, "user?": JSONSchema.text.orNull, "password?": JSONSchema.text.orNull,
        "title?": JSONSchema.text.orNull,
      ]), answer: account, status: 201
    ) { app, call in
      let json = try call.json()
      func text(_ key: String) -> String? { json[key]?.text.flatMap { $0.isEmpty ? nil : $0 } }
      guard let address = text("address") else {
        throw APIError.invalid("must be the address of a server, or a mail address", pointer: "/address")
      }
      let isMail = address.contains("@") && !address.contains("://")
      let added = try WebApp.naming {
        try app.accounts.add(
          address, user: text("user") ?? (isMail ? address : nil), password: text("password"),
          title: text("title"))
      }
      return .json(try app.object(of: added).line, status: 201)
    },
    Route(
      "POST", "/accounts/{number}/sync", .write, needsAllLists: true, isSlow: true,
      "Synchronize an account now",
      body: .object(["removes?": .flag]), answer: .named("Sync")
    ) { app, call in
      let account = try app.account(call)
      var options = SyncOptions()
      options.lockTimeout = 10
      options.allowsLargeRemovals = try call.json()["removes"]?.flag ?? false
      let counts = try WebApp.naming {
        try app.accounts.synchronize(account, options: options, at: app.clock())
      }
      return .json(counts.json(of: try app.store.read { try $0.accountName(account) }).line)
    },
    Route(
      "POST", "/accounts/{number}/password", .write, isOwners: true, isSlow: true,
      "Sign in to an account again, with another password",
      body: .object(["password": .text]), answer: account
    ) { app, call in
      let account = try app.account(call)
      guard let password = try call.json()["password"]?.text, !password.isEmpty else {
        throw APIError.invalid("must be a text", pointer: "/password")
      }
      try WebApp.naming { try app.accounts.signIn(account, password: password) }
      return .json(try app.object(of: account).line)
    },
    Route(
      "DELETE", "/accounts/{number}", .write, isOwners: true, isSlow: true,
      "Remove an account with its lists; the server keeps them"
    ) { app, call in
      let account = try app.account(call)
      try WebApp.naming { try app.accounts.remove(account) }
      return HTTPResponse(status: 204)
    },
  ]

  private static let account = JSONSchema.object(
    ["number": .integer, "name": .text, "address": .text, "lists": .integer, "remarks": .list(.text)],
    isOpen: true)

  /// What `accounts list --json` has, with its number and what people should know of it.
  private static func object(_ state: AccountState) -> JSONLine {
    var line = JSONLine(type: "account")
    line.add("number", Int(state.account.number))
    line = state.json(line)
    line.add("remarks", state.remarks)
    return line
  }

  private func object(of account: SyncAccount) throws -> JSONLine {
    try store.read { reader in
      guard let known = try reader.syncAccounts().first(where: { $0.number == account.number }) else {
        throw APIError.conflict("the account was removed in the meantime")
      }
      return Self.object(try AccountState(of: known, in: reader))
    }
  }

  private var accounts: AccountSynchronizer {
    AccountSynchronizer(store: store, keyring: surroundings.keyring, clock: clock)
  }

  private func account(_ call: Route.Call) throws -> SyncAccount {
    let number = Int64(call["number"])
    guard let found = try store.read({ try $0.syncAccounts() }).first(where: { $0.number == number }) else {
      throw APIError.notFound("no account '\(call["number"])'")
    }
    return found
  }

  /// Turns what a server said into an answer for people.
  private static func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let failure as DAVFailure {
      throw APIError.conflict(failure.description)
    } catch let failure as SyncFailure {
      throw APIError.conflict(failure.description)
    }
  }
}
