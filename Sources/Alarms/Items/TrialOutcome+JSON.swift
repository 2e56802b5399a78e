public import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
public import FencepostJSON

extension TrialOutcome {
  /// What came of a trial: `{"type":"trial",…}`.
  public func json(_ trial: AlarmTrial) -> JSONLine {
    var line = JSONLine(type: "trial")
    line.add("place", trial.place.json)
    line.add("rang", !firings.isEmpty)
    line.add(
      "alarms",
      firings.map { entry in
        var alarm = JSONLine()
        alarm.add("title", ItemSummary(of: entry).title)
        alarm.add(
          "channels",
          (answers[entry.firing.key] ?? []).map { answer in
            var channel = JSONLine()
            channel.add("channel", answer.channel)
            channel.add("state", "\(answer.state)")
            if let error = answer.lastError { channel.add("error", error) }
            return channel
          })
        return alarm
      })
    return line
  }
}
