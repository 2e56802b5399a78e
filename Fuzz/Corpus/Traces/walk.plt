Geolife trajectory
WGS 84
Altitude is in Feet
Reserved 3
0,2,255,My Track,0,0,2,8421376
0
52.5,13.4,0,100,46143.3333333333,2026-05-01,08:00:00
52.6,13.4,1,-777,46143.3333449074
