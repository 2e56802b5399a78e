import CalendarStore
import Reconciliation

extension AgreedObject.State {
  /// The state in the store.
  init(_ state: SyncedObject.State) {
    switch state {
    case .agreed: self = .agreed
    case .sent: self = .sent
    case .unusable: self = .unusable
    case .duplicate: self = .duplicate
    }
  }
}
