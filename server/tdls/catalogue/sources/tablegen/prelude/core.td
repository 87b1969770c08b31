// The classes that ODS reads, with the fields that determine definitions, and the fields that others refer to.

class Pred { code predExpr = ""; }
class CPred<code condition> : Pred { let predExpr = condition; }
class CombinedPred<list<Pred> parts> : Pred { list<Pred> children = parts; }
class And<list<Pred> parts> : CombinedPred<parts>;
class Or<list<Pred> parts> : CombinedPred<parts>;
class Neg<Pred part> : CombinedPred<[part]>;
class SubstLeaves<string pat, string repl, Pred part> : CombinedPred<[part]>;
class Concat<string pre, Pred part, string suf> : CombinedPred<[part]>;
class StrFunc<string r> { string result = r; }
defvar TruePred = And<[]>;

class Dialect {
  string name = ?;
  string summary = ?;
  string description = ?;
  string cppNamespace = name;
  list<string> dependentDialects = [];
  code extraClassDeclaration = "";
}

class Constraint<Pred pred, string desc = ""> {
  Pred predicate = pred;
  string summary = desc;
}
class TypeConstraint<Pred pred, string desc = "", string cpp = "::mlir::Type", string function = "">
    : Constraint<pred, desc> {
  string cppType = cpp;
}
class AttrConstraint<Pred pred, string desc = "", string function = ""> : Constraint<pred, desc>;
class PropConstraint<Pred pred, string desc = "", string interface = ""> : Constraint<pred, desc>;
class RegionConstraint<Pred pred, string desc = ""> : Constraint<pred, desc>;
class SuccessorConstraint<Pred pred, string desc = ""> : Constraint<pred, desc>;

class Successor<Pred pred, string desc = ""> : SuccessorConstraint<pred, desc>;
def AnySuccessor : Successor<?>;
class VariadicSuccessor<Successor successor> : Successor<?>;

class Region<Pred pred, string desc = ""> : RegionConstraint<pred, desc>;
def AnyRegion : Region<?>;
class SizedRegion<int blocks> : Region<?, "with " # blocks>;
class MinSizedRegion<int blocks> : Region<?, "with at least " # blocks>;
class MaxSizedRegion<int blocks> : Region<?, "with at most " # blocks>;
class VariadicRegion<Region region> : Region<?, region.summary>;

def ins;
def outs;
def region;
def successor;
def attr;

class OpVariableDecorator;
class OpVariable<Constraint variable, string desc = "", list<OpVariableDecorator> decorated = []> {
  Constraint constraint = variable;
  string summary = desc;
  list<OpVariableDecorator> decorators = decorated;
}
class Arg<Constraint variable, string desc = "", list<OpVariableDecorator> decorated = []>
    : OpVariable<variable, desc, decorated>;
class Res<Constraint variable, string desc = "", list<OpVariableDecorator> decorated = []>
    : OpVariable<variable, desc, decorated>;

class OpBuilder<dag parameters, code text = "">;
class DeprecatedOpBuilder<string reason, dag parameters, code text = ""> : OpBuilder<parameters, text>;
class OpDocGroup;
class Deprecated<string reason>;

class Op<Dialect dialect, string mnemonic, list<Trait> properties = []> {
  Dialect opDialect = dialect;
  string opName = mnemonic;
  string cppNamespace = dialect.cppNamespace;
  string summary = "";
  string description = "";
  OpDocGroup opDocGroup = ?;
  dag arguments = (ins);
  dag results = (outs);
  dag regions = (region);
  dag successors = (successor);
  list<OpBuilder> builders = ?;
  bit skipDefaultBuilders = 0;
  string assemblyFormat = ?;
  bit hasCustomAssemblyFormat = 0;
  bit hasVerifier = 0;
  bit hasRegionVerifier = 0;
  bit hasCanonicalizer = 0;
  bit hasCanonicalizeMethod = 0;
  bit hasFolder = 0;
  bit useCustomPropertiesEncoding = 0;
  list<Trait> traits = properties;
  code extraClassDeclaration = ?;
  code extraClassDefinition = ?;
}
class Arguments<dag values> { dag arguments = values; }
class Results<dag values> { dag results = values; }

// Dialect types and attributes

class AttrOrTypeDef<string kind, string class_name, list<Trait> has> {
  string summary = ?;
  string description = ?;
  string mnemonic = ?;
  dag parameters = (ins);
  string assemblyFormat = ?;
  bit hasCustomAssemblyFormat = 0;
  bit genStorageClass = 1;
  bit hasStorageCustomConstructor = 0;
  bit genAccessors = 1;
  bit genVerifyDecl = 0;
  bit genMnemonicAlias = 0;
  bit skipDefaultBuilders = 0;
  list<Trait> traits = has;
  list<OpBuilder> builders = ?;
  code extraClassDeclaration = "";
  code extraClassDefinition = "";
}
class AttrDef<Dialect of, string name, list<Trait> has = [], string base = "::mlir::Attribute">
    : DialectAttr<of, ?>, AttrOrTypeDef<"Attr", name, has> {
  string cppClassName = name # "Attr";
  string cppType = of.cppNamespace # "::" # cppClassName;
  let storageType = cppType;
  let returnType = cppType;
  string attrName = of.name # "." # mnemonic;
}
class TypeDef<Dialect of, string name, list<Trait> has = [], string base = "::mlir::Type">
    : DialectType<of, ?>, AttrOrTypeDef<"Type", name, has> {
  string cppClassName = name # "Type";
  string cppBaseClassName = base;
  let cppType = of.cppNamespace # "::" # cppClassName;
  string typeName = of.name # "." # mnemonic;
  let builderCall = !if(!empty(parameters), "$_builder.getType<" # cppType # ">()", "");
}
class AttrOrTypeBuilder<dag parameters, code text = "", string type = "">;
class AttrBuilder<dag parameters, code text = "", string type = "">;
class TypeBuilder<dag parameters, code text = "", string type = "">;
class AttrBuilderWithInferredContext<dag parameters, code text = "", string type = "">;
class TypeBuilderWithInferredContext<dag parameters, code text = "", string type = "">;

class AttrOrTypeParameter<string type, string desc = "", string accessor = ""> {
  string cppType = type;
  string cppStorageType = cppType;
  string summary = desc;
  string parser = ?;
  string printer = ?;
  string allocator = ?;
  string comparator = ?;
  string syntax = ?;
  string convertFromStorage = ?;
  string cppAccessorType = type;
  string defaultValue = "";
}
class AttrParameter<string type, string desc = "", string accessor = ""> : AttrOrTypeParameter<type, desc>;
class TypeParameter<string type, string desc = "", string accessor = ""> : AttrOrTypeParameter<type, desc>;
class OptionalParameter<string type, string desc = ""> : AttrOrTypeParameter<type, desc> {
  let defaultValue = cppStorageType # "()";
}
class DefaultValuedParameter<string type, string value, string desc = ""> : AttrOrTypeParameter<type, desc> {
  let defaultValue = value;
}
class StringRefParameter<string desc = "", string value = ""> : AttrOrTypeParameter<"::llvm::StringRef", desc> {
  let defaultValue = value;
}
class APIntParameter<string desc> : AttrOrTypeParameter<"::llvm::APInt", desc>;
class APFloatParameter<string desc> : AttrOrTypeParameter<"::llvm::APFloat", desc>;
class ArrayRefParameter<string element, string desc = "">
    : AttrOrTypeParameter<"::llvm::ArrayRef<" # element # ">", desc> {
  let cppStorageType = "::llvm::SmallVector<" # element # ">";
}
class OptionalArrayRefParameter<string element, string desc = "">
    : OptionalParameter<"::llvm::ArrayRef<" # element # ">", desc> {
  let cppStorageType = "::llvm::SmallVector<" # element # ">";
}
class SelfAllocationParameter<string type, string desc> : AttrOrTypeParameter<type, desc>;
class ArrayRefOfSelfAllocationParameter<string element, string desc> : ArrayRefParameter<element, desc>;
class AttributeSelfTypeParameter<string desc, string type = "::mlir::Type", string builder = "">
    : AttrOrTypeParameter<type, desc> {
  let defaultValue = !if(!empty(builder), !if(!eq(type, "::mlir::Type"), "::mlir::NoneType::get($_ctxt)", ""), builder);
}
class ArrayOfAttr<Dialect of, string name, string written, string element, list<Trait> has = []>
    : AttrDef<of, name, has> {
  let parameters = (ins OptionalArrayRefParameter<element>:$value);
  let mnemonic = written;
  let assemblyFormat = "`[` (`]`) : ($value^ `]`)?";
}
