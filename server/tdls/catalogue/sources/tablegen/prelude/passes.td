// The classes of passes, their options and statistics.

class Option<string variable, string name, string written, string value, string desc, string flags = ""> {
  string cppName = variable;
  string argument = name;
  string type = written;
  string defaultValue = value;
  string description = desc;
  string additionalOptFlags = flags;
}
class ListOption<string variable, string name, string written, string desc, string flags = "">
    : Option<variable, name, written, "", desc, flags>;
class Statistic<string variable, string shown, string desc> {
  string cppName = variable;
  string name = shown;
  string description = desc;
}
class PassBase<string name, string base> {
  string argument = name;
  string baseClass = base;
  string summary = "";
  string description = "";
  code constructor = "";
  list<string> dependentDialects = [];
  list<Option> options = [];
  list<Statistic> statistics = [];
}
class Pass<string name, string operation = ""> : PassBase<name, "::mlir::OperationPass<" # operation # ">">;
class InterfacePass<string name, string interface> : PassBase<name, "::mlir::InterfacePass<" # interface # ">">;
