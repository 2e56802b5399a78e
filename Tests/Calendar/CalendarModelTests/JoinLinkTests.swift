import Testing

@testable import FencepostCalendarModel

/// The addresses of online meetings.
@Suite struct JoinLinkTests {
  /// A text, the address to open in it, and the service; `nil` for no meeting.
  private static let links: [(text: String, link: String?, service: String?)] = [
    ("Join: https://us02web.zoom.us/j/123?pwd=x.", "https://us02web.zoom.us/j/123?pwd=x", "Zoom"),
    ("https://zoom.us/my/anna.smith", "https://zoom.us/my/anna.smith", "Zoom"),
    ("https://app.zoom.us/wc/join/845123", "https://app.zoom.us/wc/join/845123", "Zoom"),
    ("https://uni.zoom-x.de/j/6512345?pwd=a%3D", "https://uni.zoom-x.de/j/6512345?pwd=a%3D", "Zoom"),
    ("<https://meet.google.com/abc-defg-hij>", "https://meet.google.com/abc-defg-hij", "Google Meet"),
    ("https://meet.google.com/lookup/h2gj5k", "https://meet.google.com/lookup/h2gj5k", "Google Meet"),
    (
      "see https://example.org, https://teams.microsoft.com/l/meetup-join/19%3ameeting/0?context=%7b",
      "https://teams.microsoft.com/l/meetup-join/19%3ameeting/0?context=%7b", "Microsoft Teams"
    ),
    (
      "https://teams.microsoft.com/meet/2345?p=x", "https://teams.microsoft.com/meet/2345?p=x",
      "Microsoft Teams"
    ),
    (
      "https://gov.teams.microsoft.us/l/meetup-join/19%3a/0",
      "https://gov.teams.microsoft.us/l/meetup-join/19%3a/0", "Microsoft Teams"
    ),
    (
      "https://teams.cloud.microsoft/l/meetup-join/19%3a/0",
      "https://teams.cloud.microsoft/l/meetup-join/19%3a/0", "Microsoft Teams"
    ),
    ("HTTPS://meet.jit.si/Room", "HTTPS://meet.jit.si/Room", "Jitsi Meet"),
    ("https://meet.jit.si/Bürgerverein.", "https://meet.jit.si/B%C3%BCrgerverein", "Jitsi Meet"),
    (
      "(https://meet.jit.si/Bürgerverein/Maßnahmen)", "https://meet.jit.si/B%C3%BCrgerverein/Ma%C3%9Fnahmen",
      "Jitsi Meet"
    ),
    ("„https://meet.jit.si/Chor“", "https://meet.jit.si/Chor", "Jitsi Meet"),
    (
      "https://meeting.tencent.com/dm/a1B2c3点击链接入会", "https://meeting.tencent.com/dm/a1B2c3",
      "Tencent Meeting"
    ),
    ("https://voovmeeting.com/dm/a1B2c3", "https://voovmeeting.com/dm/a1B2c3", "VooV Meeting"),
    ("https://team.webex.com/meet/room", "https://team.webex.com/meet/room", "Webex"),
    (
      "https://team.webex.com/team/j.php?MTID=m0f1&amp;x=1",
      "https://team.webex.com/team/j.php?MTID=m0f1&x=1",
      "Webex"
    ),
    (
      "https://bbb.uni.example/b/ann-x4k-9qz-2vt", "https://bbb.uni.example/b/ann-x4k-9qz-2vt",
      "BigBlueButton"
    ),
    (
      "https://bbb.uni.example/rooms/ann-x4k-9qz-2vt/join",
      "https://bbb.uni.example/rooms/ann-x4k-9qz-2vt/join",
      "BigBlueButton"
    ),
    ("https://jitsi.club.example/Vorstand", "https://jitsi.club.example/Vorstand", "Jitsi Meet"),
    ("https://meet.club.example/Vorstand", "https://meet.club.example/Vorstand", "Jitsi Meet"),
    (
      "https://cloud.club.example/call/x4k9qz2v", "https://cloud.club.example/call/x4k9qz2v", "Nextcloud Talk"
    ),
    (
      "https://cloud.club.example/call/xkqzhabc", "https://cloud.club.example/call/xkqzhabc", "Nextcloud Talk"
    ),
    (
      "https://club.example/nextcloud/index.php/call/xkqzhabc",
      "https://club.example/nextcloud/index.php/call/xkqzhabc", "Nextcloud Talk"
    ),
    (
      "https://talk.city.example/room/7c9e6679-7425-40de-944b-e07fc1f90ae7",
      "https://talk.city.example/room/7c9e6679-7425-40de-944b-e07fc1f90ae7", "OpenTalk"
    ),
    (
      "https://talk.city.example/invite/7c9e6679-7425-40de-944b-e07fc1f90ae7",
      "https://talk.city.example/invite/7c9e6679-7425-40de-944b-e07fc1f90ae7", "OpenTalk"
    ),
    (
      "https://meeting.zoho.eu/join?key=1018&t=x", "https://meeting.zoho.eu/join?key=1018&t=x", "Zoho Meeting"
    ),
    ("https://meet.zoho.com/aBcD", "https://meet.zoho.com/aBcD", "Zoho Meeting"),
    ("https://vc.larksuite.com/j/123456789", "https://vc.larksuite.com/j/123456789", "Lark"),
    ("https://v.ringcentral.com/join/55", "https://v.ringcentral.com/join/55", "RingCentral"),
    ("https://whereby.com/team-room", "https://whereby.com/team-room", "Whereby"),
    ("https://club.whereby.com/room?x", "https://club.whereby.com/room?x", "Whereby"),
    ("https://discord.gg/aBc123", "https://discord.gg/aBc123", "Discord"),
    ("https://discord.com/invite/aBc123", "https://discord.com/invite/aBc123", "Discord"),
    (
      "https://meet.proton.me/join/id-AB12#pwd-x", "https://meet.proton.me/join/id-AB12#pwd-x", "Proton Meet"
    ),
    ("https://call.whatsapp.com/video/aB1", "https://call.whatsapp.com/video/aB1", "WhatsApp"),
    ("https://signal.link/call/#key=bc-df", "https://signal.link/call/#key=bc-df", "Signal"),
    ("https://facetime.apple.com/join#v=1&p=x", "https://facetime.apple.com/join#v=1&p=x", "FaceTime"),
    ("https://global.gotowebinar.com/join/8/1", "https://global.gotowebinar.com/join/8/1", "GoTo Webinar"),
    ("https://meet.goto.com/123456789", "https://meet.goto.com/123456789", "GoTo Meeting"),
    ("https://meet.livekit.io/rooms/ab-cd", "https://meet.livekit.io/rooms/ab-cd", "LiveKit Meet"),
    ("https://app.cal.com/video/aB3", "https://app.cal.com/video/aB3", "Cal.com"),
    (
      "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fus02web.zoom.us%2Fj%2F123%3Fpwd%3Dx&data=05%7C01",
      "https://us02web.zoom.us/j/123?pwd=x", "Zoom"
    ),
    (
      "https://urldefense.com/v3/__https://zoom.us/j/77?pwd=a__;!!abc!def$", "https://zoom.us/j/77?pwd=a",
      "Zoom"
    ),
    (
      "https://urldefense.proofpoint.com/v2/url?u=https-3A__meet.google.com_abc-2Ddefg-2Dhij&d=DwM",
      "https://meet.google.com/abc-defg-hij", "Google Meet"
    ),
    (
      "https://www.google.com/url?q=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fmeet.jit.si%252FR&sa=D",
      "https://meet.jit.si/R", "Jitsi Meet"
    ),
    (
      "https://meet.google.com/linkredirect?authuser=0&dest=https%3A%2F%2Fzoom.us%2Fj%2F1",
      "https://zoom.us/j/1",
      "Zoom"
    ),
    (
      "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fteams.live.com%2fmeet%2f9&c=E",
      "https://teams.live.com/meet/9", "Microsoft Teams"
    ),
    ("https://gov.webex.com/gov/j.php?MTID=m1", "https://gov.webex.com/gov/j.php?MTID=m1", "Webex"),
    (
      "https://bbb.uni.example/gl/ann-x4k-9qz", "https://bbb.uni.example/gl/ann-x4k-9qz", "BigBlueButton"
    ),
    (
      "https://jitsi.club.example/Vorstand#config.x=1", "https://jitsi.club.example/Vorstand#config.x=1",
      "Jitsi Meet"
    ),
    (
      "https://meeting.zoho.com/meeting/public/x", "https://meeting.zoho.com/meeting/public/x", "Zoho Meeting"
    ),
    ("https://vc.feishu.cn/j/123456789", "https://vc.feishu.cn/j/123456789", "Lark"),
    ("https://meeting.tencent.com/p/5551234", "https://meeting.tencent.com/p/5551234", "Tencent Meeting"),
    ("https://meetings.ringcentral.com/j/149", "https://meetings.ringcentral.com/j/149", "RingCentral"),
    ("https://call.whatsapp.com/voice/aB1", "https://call.whatsapp.com/voice/aB1", "WhatsApp"),
    ("https://discord.com/channels/11/22", "https://discord.com/channels/11/22", "Discord"),
    ("https://cal.com/video/aB3", "https://cal.com/video/aB3", "Cal.com"),
    ("https://app.goto.com/meeting/123456789", "https://app.goto.com/meeting/123456789", "GoTo Meeting"),
    ("<a href=\"https://zoom.us/j/5?a=1&amp;b=2\">Join</a>", "https://zoom.us/j/5?a=1&b=2", "Zoom"),
  ]

  @Test("links to meetings are recognised, with their service", arguments: links)
  func known(text: String, link: String?, service: String?) {
    let found = JoinLink.all(in: [nil, text])
    #expect(found.map(\.address) == [link])
    #expect(found.map(\.label) == [service])
    #expect(JoinLink.first(in: [text]) == link)
  }

  @Test(
    "pages about a service, numbers to call and disguised addresses are no meetings",
    arguments: [
      "https://zoom.us/pricing", "https://explore.zoom.us/en/terms/", "https://zoom.us/meeting/register/tJ0",
      "https://zoom.us/u/aB1", "https://evilzoom.us/j/1", "https://zoom.us@evil.example/j/1",
      "http://meet.google.com/abc-defg-hij", "https://meet.google.com/", "https://meet.google.com/landing",
      "https://meet.google.com/tel/abc-defg-hij", "https://tel.meet/abc-defg-hij?pin=12",
      "https://meet.google.com/linkredirect?dest=https%3A%2F%2Fexample.org%2F", "https://meet.google.com/x",
      "https://teams.microsoft.com/meetingOptions/?organizerId=1",
      "https://www.microsoft.com/microsoft-teams/join-a-meeting",
      "https://dialin.teams.microsoft.com/6d1?id=2", "https://aka.ms/JoinTeamsMeeting",
      "https://team.webex.com/team/globalcallin.php?MTID=m1", "https://www.webex.com/pricing/",
      "https://team.webex.com/team/j.php", "https://whereby.com/information/tos",
      "https://whereby.com/pricing",
      "https://meet.jit.si/", "https://meet.jit.si/static/dialInInfo.html?room=x",
      "https://club.example/Vorstand",
      "https://meet.club.example/impressum", "https://meet.club.example/terms.html",
      "https://meet.club.example/a/b",
      "https://shop.example/call/overview", "https://shop.example/room/12", "https://news.example/b/one-two",
      "https://discord.com/terms", "https://www.zoho.com/meeting/",
      "https://www.larksuite.com/product/meetings",
      "https://meeting.tencent.com/support", "https://voovmeeting.com/download-center.html",
      "https://proton.me/meet",
      "https://signal.org/", "https://livekit.io/", "https://meet.livekit.io/",
      "https://www.goto.com/webinar",
      "https://www.webex.com/video-conferencing", "https://zoom-x.de/",
      "https://teams.microsoft.us/l/chat/0/0",
      "https://support.ringcentral.com/article/1", "https://whereby.com/user/login",
      "https://cal.com/pricing",
      "https://teams.cloud.microsoft/", "https://wa.me/4930123", "https://discord.gg/",
      "https://call.whatsapp.com/",
      "https://www.whatsapp.com/legal",
      "https://signal.link/call/", "https://attendee.gotowebinar.com/register/1",
      "https://cal.com/anna/30min",
      "https://www.ringcentral.com/legal/eulatos.html", "https://www.google.com/url?q=javascript%3Aalert(1)",
      "https://eur01.safelinks.protection.outlook.com/?url=%zz",
      "https://evilsafelinks.protection.outlook.com.example/?url=https%3A%2F%2Fzoom.us%2Fj%2F1", "hhhhttps",
      "",
    ])
  func unknown(text: String) { #expect(JoinLink.first(in: [text]) == nil) }

  @Test(
    "hosts that the owner names have meetings at all their addresses",
    arguments: [
      ("https://meet.club.example/a/b", "Jitsi or else", nil),
      ("https://club.example/Vorstand", "club.example", "club.example"),
      ("https://calls.club.example:8443/Vorstand?x=1", "club.example", "calls.club.example"),
      ("https://club.example/b/ann-x4k-9qz-2vt", "club.example", "BigBlueButton"),
      ("https://club.example/index.php/call/xkqzhabc", "club.example", "Nextcloud Talk"),
      ("https://club.example/#/room", "club.example", "club.example"),
      ("https://Club.Example/Bürger", "club.example", "club.example"),
      ("https://club.example/", "club.example", nil), ("https://club.example/impressum", "club.example", nil),
      ("https://club.example/static/dialInInfo.html?room=x", "club.example", nil),
      ("https://club.example/legal/terms", "club.example", nil),
      ("https://evilclub.example/Vorstand", "club.example", nil),
      ("https://club.example.evil.example/Vorstand", "club.example", nil),
      ("https://club.example@evil.example/Vorstand", "club.example", nil),
      ("http://club.example/Vorstand", "club.example", nil),
      ("https://zoom.us/j/5", "club.example", "Zoom"), ("https://zoom.us/x/5", "zoom.us", "zoom.us"),
    ] as [(String, String, String?)])
  func ownHosts(text: String, host: String, service: String?) {
    let hosts = JoinHosts([host])
    #expect(JoinLink.all(in: [text], at: hosts).map(\.label) == (service.map { [$0] } ?? []))
    #expect(
      FiringDetails(notes: text).joinAddress(at: hosts) == (service == nil ? nil : JoinLink.encoded(text)))
  }

  @Test(
    "a host is written as such, or as the address of its first page",
    arguments: [
      ("Meet.Example.org", "meet.example.org"), ("https://meet.example.org/", "meet.example.org"),
      ("bürger.example", "b%C3%BCrger.example"), ("localhost", nil), ("", nil), ("meet example", nil),
      ("https://meet.example.org/room", nil), ("http://meet.example.org", nil), ("a@meet.example.org", nil),
      ("*.example.org", nil), (".example.org", nil), ("meet.example.org:8443", nil),
    ] as [(String, String?)])
  func hosts(text: String, host: String?) { #expect(JoinHosts.host(text) == host) }

  @Test("a page with video goes before one without, and both before a number to call, in any order")
  func order() {
    let lines = [
      "CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+4930123",
      "CONFERENCE;VALUE=URI;FEATURE=PHONE:https://call.example/p",
      "CONFERENCE;VALUE=URI;FEATURE=AUDIO:https://call.example/a",
      "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL=\"a:b\":https://call.example/v?a=1&amp;b=2",
    ]
    for lines in [lines, lines.reversed()] {
      #expect(Conference.address(inLines: lines) == "https://call.example/v?a=1&b=2")
      #expect(Conference.address(inLines: lines.filter { !$0.contains("VIDEO") }) == "https://call.example/a")
    }
    #expect(Conference.address(inLines: Array(lines[..<1])) == "tel:+4930123")
    #expect(
      Conference.address(inLines: [
        "X-ALT-DESC;FMTTYPE=text/html:<a href=\"https://zoom.us/j/9?a=1&amp;b=2\">x</a>"
      ])
        == "https://zoom.us/j/9?a=1&b=2")
    var details = FiringDetails(notes: "https://zoom.us/j/5", conference: "tel:+4930123")
    #expect(details.joinAddress() == "https://zoom.us/j/5")
    details.notes = nil
    #expect(details.joinAddress() == "tel:+4930123")
  }
}
