@_exported public import GraphicsTypes
