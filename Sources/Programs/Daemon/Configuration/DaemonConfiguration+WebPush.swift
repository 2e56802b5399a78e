import FencepostChannels
import FencepostCalendarStore

extension DaemonConfiguration {
  /// The configuration with a channel for each subscription in place of `webpush`. A daemon that serves the
  /// web app pushes also without that channel in its settings, because only who asks gets pushes.
  func addressed(to subscriptions: [StoredPushSubscription]) -> DaemonConfiguration {
    var configuration = self
    if server != nil, !deliveries.contains(where: \.channel.isWebPush) {
      configuration.deliveries.append(FilteredChannel(.webPush(WebPushAddress())))
    }
    for case .webPush(let address) in configuration.deliveries.map(\.channel) { configuration.push = address }
    configuration.push.contact = configuration.push.contact ?? server?.contact
    configuration.deliveries = configuration.deliveries.flatMap { delivery in
      delivery.addressed(to: subscriptions, contact: server?.contact)
    }
    return configuration
  }
}
