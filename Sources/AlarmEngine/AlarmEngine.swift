// Transitions and due times to firings; the ledger.
