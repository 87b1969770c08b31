pdl.pattern @simplify : benefit(2) {
  %type = pdl.type : i32
  %types = pdl.types
  %a = pdl.operand : %type
  %rest = pdl.operands
  %attr = pdl.attribute = 1 : i32
  %any = pdl.attribute
  %root = pdl.operation "my.add" (%a, %rest : !pdl.value, !pdl.range<value>) {"value" = %attr, "other" = %any} -> (%type, %types : !pdl.type, !pdl.range<type>)
  %r = pdl.result 0 of %root
  %all = pdl.results of %root
  pdl.apply_native_constraint "is_good"(%root, %any : !pdl.operation, !pdl.attribute)
  pdl.rewrite %root {
    %new = pdl.operation "my.neg" (%a : !pdl.value) -> (%type : !pdl.type)
    %x = pdl.apply_native_rewrite "build"(%new : !pdl.operation) : !pdl.value
    pdl.replace %root with %new
  }
}
pdl.pattern : benefit(1) {
  %op = pdl.operation
  pdl.rewrite %op with "external"
}
pdl.pattern @erase : benefit(0) {
  %op = pdl.operation "my.dead"
  pdl.rewrite %op {
    pdl.erase %op
  }
}
// -----
irdl.dialect @geometry {
  irdl.type @vector2 {
    %f32 = irdl.is f32
    %f64 = irdl.is f64
    %either = irdl.any_of(%f32, %f64)
    irdl.parameters(element: %either)
  }
  irdl.attribute @unit {
    %c = irdl.is "meter"
    irdl.parameters(name: %c)
  }
  irdl.operation @length {
    %any = irdl.any
    %v = irdl.parametric @geometry::@vector2<%any>
    %i = irdl.is i64
    %base = irdl.base "!builtin.integer"
    irdl.operands(vector: %v, rest: variadic %base, maybe: optional %any)
    irdl.results(result: %any)
    irdl.attributes {"count" = %i}
    %r = irdl.region(%any) with size 1
    irdl.regions(body: %r)
  }
}
// -----
pdl_interp.func @matcher(%root: !pdl.operation) {
  pdl_interp.check_operation_name of %root is "my.op" -> ^named, ^end
^named:
  %0 = pdl_interp.get_operand 0 of %root
  %1 = pdl_interp.get_attribute "value" of %root
  pdl_interp.is_not_null %0 : !pdl.value -> ^ok, ^end
^ok:
  %t = pdl_interp.get_value_type of %0 : !pdl.type
  pdl_interp.switch_type %t to [i32, i64] (^a, ^b) -> ^end
^a:
  %ops = pdl_interp.get_users of %0 : !pdl.value
  pdl_interp.foreach %op : !pdl.operation in %ops {
    pdl_interp.continue
  } -> ^b
^b:
  pdl_interp.record_match @rewriters::@rewrite(%root : !pdl.operation) : benefit(1), generatedOps(["my.new"]), loc([%root]), root("my.op") -> ^end
^end:
  pdl_interp.finalize
}
module @rewriters {
  pdl_interp.func @rewrite(%root: !pdl.operation) {
    pdl_interp.erase %root
    pdl_interp.finalize
  }
}
