// Enums of MLIR's dialects that operations of other dialects have as attributes.

class _Enum<string name, string namespace, list<string> symbols, list<string> spelled = symbols>
    : I32EnumAttr<name, "", !foreach(at, !range(symbols), I32EnumAttrCase<symbols[at], at, spelled[at]>)> {
  let cppNamespace = "::mlir::" # namespace;
}
class _LongEnum<string name, string namespace, list<string> symbols, list<string> spelled = symbols>
    : I64EnumAttr<name, "", !foreach(at, !range(symbols), I64EnumAttrCase<symbols[at], at, spelled[at]>)> {
  let cppNamespace = "::mlir::" # namespace;
}
class _Flags<string name, string namespace, list<string> symbols>
    : I32BitEnumAttr<name, "", !foreach(at, !range(symbols), I32BitEnumAttrCase<symbols[at], at>)> {
  let cppNamespace = "::mlir::" # namespace;
  let separator = ",";
  let genSpecializedAttr = 0;
}

def LayoutMapOption
    : _Enum<"LayoutMapOption", "bufferization", ["InferLayoutMap", "IdentityLayoutMap", "FullyDynamicLayoutMap"]>;
def WinogradConv2DFmr : _Enum<"WinogradConv2DFmr", "linalg", ["F_2_3", "F_4_3", "F_2_5"]>;
def VectorTransposeLoweringAttr
    : _Enum<"VectorTransposeLowering", "vector", ["EltWise", "LLVMIntr", "Shuffle1D", "Shuffle16x16"],
            ["eltwise", "llvmintr", "shuffle_1d", "shuffle_16x16"]>;
def VectorMultiReductionLoweringAttr
    : _Enum<"VectorMultiReductionLowering", "vector", ["InnerParallel", "InnerReduction"],
            ["innerparallel", "innerreduction"]>;
def VectorContractLoweringAttr
    : _Enum<"VectorContractLowering", "vector", ["Dot", "LLVMIntr", "OuterProduct", "ParallelArith"],
            ["dot", "llvmintr", "outerproduct", "parallelarith"]>;
def VectorTransferSplitAttr
    : _Enum<"VectorTransferSplit", "vector", ["None", "VectorTransfer", "LinalgCopy", "ForceInBounds"],
            ["none", "vector-transfer", "linalg-copy", "force-in-bounds"]>;

def IteratorType : _Enum<"IteratorType", "utils", ["parallel", "reduction"]> { let genSpecializedAttr = 0; }

def Arith_CmpIPredicateAttr
    : _LongEnum<"CmpIPredicate", "arith", ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]>;
def Arith_CmpFPredicateAttr
    : _LongEnum<"CmpFPredicate", "arith",
                ["AlwaysFalse", "OEQ", "OGT", "OGE", "OLT", "OLE", "ONE", "ORD", "UEQ", "UGT", "UGE", "ULT", "ULE",
                 "UNE", "UNO", "AlwaysTrue"],
                ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
                 "uno", "true"]>;
def AtomicRMWKindAttr
    : _LongEnum<"AtomicRMWKind", "arith",
                ["addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins",
                 "minu", "mulf", "muli", "ori", "xori"]>;
def FastMathFlags
    : _Flags<"FastMathFlags", "arith",
             ["none", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"]>;
def Arith_FastMathAttr : EnumAttr<Arith_Dialect, FastMathFlags, "fastmath"> { let assemblyFormat = "`<` $value `>`"; }
def Arith_IntegerOverflowFlags : _Flags<"IntegerOverflowFlags", "arith", ["none", "nsw", "nuw"]> {
  let separator = ", ";
}
def Arith_IntegerOverflowAttr : EnumAttr<Arith_Dialect, Arith_IntegerOverflowFlags, "overflow"> {
  let assemblyFormat = "`<` $value `>`";
}
