// The payload dialect, as it is registered when kiln starts.
irdl.dialect @clay {
  irdl.type @lump {
    %0 = irdl.any
    irdl.parameters(weight: %0)
  }
  irdl.operation @knead {
    %0 = irdl.base @clay::@lump
    irdl.operands(lump: %0)
    irdl.results(kneaded: %0)
  }
}
