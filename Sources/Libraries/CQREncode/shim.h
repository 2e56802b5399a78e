// libqrencode: QR codes.
#include <qrencode.h>
