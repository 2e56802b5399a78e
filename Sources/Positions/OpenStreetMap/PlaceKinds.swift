/// The kinds of places that are worth finding, and the words that people use for them.
enum PlaceKinds {
  /// The keys of tags that make something a place, the most telling first.
  static let keys = [
    "amenity", "shop", "tourism", "leisure", "healthcare", "craft", "railway", "aeroway",
    "public_transport", "place", "historic", "natural", "office", "man_made", "highway",
  ]

  /// Values that name no place to go to.
  static let excluded: Set<String> = [
    "yes", "no", "bench", "waste_basket", "parking_space", "parking_entrance", "hunting_stand", "vacant",
    "tree", "tree_row", "rail", "signal", "switch", "platform", "stop_position", "level_crossing",
    "crossing", "subway_entrance", "buffer_stop", "street_lamp", "traffic_signals", "give_way", "stop",
    "turning_circle", "milestone", "motorway_junction", "taxiway", "runway", "navigationaid",
    "surveillance", "pipeline", "cutline", "embankment", "information",
  ]

  /// Streets, by the values of `highway`.
  static let streets: Set<String> = [
    "motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential",
    "living_street", "pedestrian", "service", "track", "footway", "cycleway", "path", "steps", "road",
    "bridleway",
  ]

  /// Words for kinds in English and German. A place without a name is found if its kind is here.
  static let words: [String: String] = Dictionary(
    uniqueKeysWithValues: table.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ": ", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    })

  private static let table = """
    supermarket: supermarket Supermarkt groceries Lebensmittel
    convenience: convenience store Kiosk Laden
    bakery: bakery Bäckerei Bäcker
    butcher: butcher Metzgerei Metzger Fleischerei
    greengrocer: greengrocer Obst Gemüse
    beverages: drinks Getränkemarkt
    kiosk: kiosk Kiosk
    chemist: chemist drugstore Drogerie
    pharmacy: pharmacy chemist drugstore Apotheke
    doityourself: hardware DIY Baumarkt
    hardware: hardware Eisenwaren Baumarkt
    garden_centre: garden centre Gartencenter Gärtnerei
    florist: florist flowers Blumen Blumenladen
    clothes: clothes fashion Kleidung Mode
    shoes: shoes Schuhe
    books: bookshop books Buchhandlung Bücher
    electronics: electronics Elektronik
    furniture: furniture Möbel
    bicycle: bicycle bike Fahrrad
    hairdresser: hairdresser Friseur
    laundry: laundry Wäscherei
    dry_cleaning: dry cleaning Reinigung
    optician: optician Optiker
    jewelry: jeweller Juwelier
    toys: toys Spielwaren
    mall: mall Einkaufszentrum
    department_store: department store Kaufhaus
    travel_agency: travel agency Reisebüro
    car_repair: garage car repair Autowerkstatt Werkstatt
    post_office: post office Post Postamt
    post_box: post box letter box mailbox Briefkasten
    parcel_locker: parcel locker Packstation Paketstation
    bank: bank Bank Sparkasse
    atm: ATM cash machine Geldautomat Bankomat
    fuel: fuel petrol gas station Tankstelle
    charging_station: charging station Ladesäule Ladestation
    car_wash: car wash Waschanlage
    parking: parking car park Parkplatz Parkhaus
    bicycle_parking: bicycle parking Fahrradständer
    bicycle_rental: bike rental Fahrradverleih
    car_rental: car rental Autovermietung
    car_sharing: car sharing Carsharing
    taxi: taxi Taxi
    recycling: recycling Wertstoffhof Glascontainer Recycling
    toilets: toilets WC Toilette
    drinking_water: drinking water Trinkwasser
    restaurant: restaurant Restaurant
    cafe: café coffee Café Kaffee
    fast_food: fast food Imbiss
    bar: bar Bar
    pub: pub Kneipe
    biergarten: beer garden Biergarten
    ice_cream: ice cream Eisdiele
    doctors: doctor Arzt Ärztin Praxis
    dentist: dentist Zahnarzt
    clinic: clinic Klinik
    hospital: hospital Krankenhaus
    veterinary: vet veterinary Tierarzt
    kindergarten: kindergarten nursery Kindergarten Kita
    school: school Schule
    university: university Universität Uni
    library: library Bibliothek Bücherei
    townhall: town hall Rathaus
    police: police Polizei
    fire_station: fire station Feuerwehr
    courthouse: court Gericht
    place_of_worship: church mosque synagogue temple Kirche Moschee
    cinema: cinema Kino
    theatre: theatre Theater
    museum: museum Museum
    hotel: hotel Hotel
    hostel: hostel Hostel Jugendherberge
    camp_site: camp site Campingplatz
    viewpoint: viewpoint Aussichtspunkt
    playground: playground Spielplatz
    park: park Park
    swimming_pool: swimming pool Schwimmbad
    sports_centre: sports centre Sportzentrum
    fitness_centre: gym fitness Fitnessstudio
    station: station Bahnhof
    halt: station stop Haltepunkt
    tram_stop: tram stop Straßenbahn Haltestelle
    bus_stop: bus stop Bushaltestelle Haltestelle
    bus_station: bus station Busbahnhof
    aerodrome: airport Flughafen
    ferry_terminal: ferry Fähre
    """
}
