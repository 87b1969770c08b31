"""Small TableGen files, one for each part of the language."""

from __future__ import annotations

SNIPPETS = {
    "defaults and late binding": """
        class Base<int n, string text = "none", list<int> numbers = []> {
          int value = n;
          int doubled = !add(value, value);
          string said = text;
          list<int> all = numbers;
          bit unset;
          string missing = ?;
        }
        def A : Base<1>;
        def B : Base<2, "two", [1, 2]> { let value = 5; }
        def C : Base<n = 3, text = "named">;
        class Derived : Base<4, "derived"> { let doubled = 0; int own = doubled; }
        def D : Derived { let own = 7; }
    """,
    "parameters of parents and children": """
        class A<string x> { string y = x; }
        class B<string x> : A<x # "!"> { string z = x; }
        class C<string x> : B<"in " # x> { string x2 = x; }
        def D : C<"d">;
    """,
    "fields of earlier parents": """
        class A { int f = 1; string s = "a"; }
        class B<int f2> { int g = f2; }
        def D : A, B<f> { let f = 3; }
        class E : A, B<!size(s)> { let s = "longer"; }
        def F : E;
    """,
    "the last parent wins": """
        class A { int f = 1; int g = f; }
        class B { int f = 2; }
        def C : A, B;
        def D : B, A;
    """,
    "names": """
        class A<string n> { string given = n; string own = NAME; }
        def X : A<"x">;
        def "quoted" : A<"q">;
        def pasted#_name : A<"p">;
        foreach i = [1, 2] in def N#i#_end : A<"n" # i>;
        foreach i = 0...2 in def R#i : A<!cast<string>(i)>;
        foreach i = {3-1, 7} in def S#i : A<"s">;
        def : A<"anonymous">;
    """,
    "multiclasses": """
        class Op<string n, int k> { string opName = n; int kind = k; string self = NAME; }
        class Extra { bit extra = 1; }
        multiclass Pair<string n, int k = 0> {
          def _first : Op<n # "_first", k>;
          def "" : Op<n, k>;
          def NAME#_last : Op<n # "_last", !add(k, 1)>;
          foreach i = [10, 20] in def _#i : Op<n, i>;
        }
        multiclass Nested<string n> : Pair<n> {
          defm _in : Pair<n # ".in", 5>;
          defvar local = !strconcat(n, ".local");
          def _local : Op<local, 9>;
        }
        defm A : Pair<"a">;
        defm B : Nested<"b">, Extra;
        let kind = 42 in defm C : Pair<"c">;
        defm "D" : Pair<"d", k = 3>;
    """,
    "lets": """
        class A { int f = 1; string s = "a"; bits<4> b = 0b1010; bits<4> c = {0, 1, ?, 1}; int n; }
        let f = 2 in {
          def X : A;
          let s = "inner", n = 7 in def Y : A { let f = 3; }
        }
        let f = 4 in class B : A;
        def Z : B;
        def W : A { let b{1-0} = 0b01; let b{3} = 0; let c{3...2} = b{1-0}; }
    """,
    "conditions": """
        class A<int n> { int value = n; }
        defvar flag = 1;
        if flag then def Yes : A<1>; else def No : A<2>;
        if !eq(flag, 2) then { def No2 : A<1>; } else { def Yes2 : A<2>; }
        foreach i = [1, 2, 3] in {
          defvar twice = !mul(i, 2);
          if !gt(twice, 3) then def Big#i : A<twice>;
        }
        def Chosen : A<!cond(!lt(flag, 1) : 10, !eq(flag, 1) : 20, true : 30)>;
    """,
    "operators on texts": """
        class T<string s> {
          string joined = !strconcat(s, "-", s);
          string upper = !toupper(s);
          string part = !substr(s, 1, 2);
          string rest = !substr(s, 1);
          int at = !find(s, "l");
          int none = !find(s, "zz");
          string other = !subst("l", "LL", s);
          int length = !size(s);
          bit empty = !empty(s);
          string body = [{ some $code with "quotes" and // no comment }];
          string adjacent = "one" "two" # 3;
          string escaped = "tab\\t \\"quote\\" back\\\\slash\\n";
          bit before = !lt(s, "m");
        }
        def X : T<"hello">;
    """,
    "operators on numbers": """
        class N<int a, int b> {
          list<int> results = [!add(a, b), !sub(a, b), !mul(a, b), !div(a, b), !and(a, b), !or(a, b), !xor(a, b),
                               !shl(a, b), !sra(a, b), !srl(a, b), !add(a, b, 100)];
          list<bit> compared = [!eq(a, b), !ne(a, b), !lt(a, b), !le(a, b), !gt(a, b), !ge(a, b), !not(a)];
          list<int> literals = [0x1F, -7, +3, 007, 010, 0xFFFFFFFFFFFFFFFF];
          list<bits<3>> binary = [0b101, 0b011];
          bits<4> together = {0b10, 0b01};
          int converted = 0b1100;
          string told = "" # 0b11;
        }
        def X : N<12, 5>;
        def Y : N<7, 2>;
        def Z : N<-7, 2>;
        def Log { int of = !logtwo(100); }
    """,
    "operators on lists": """
        class L<list<int> l> {
          list<int> joined = !listconcat(l, [7], l);
          list<int> pasted = l # [8] # l;
          int first = !head(l);
          list<int> others = !tail(l);
          int count = !size(l);
          list<int> doubled = !foreach(i, l, !mul(i, 2));
          list<int> big = !filter(i, l, !gt(i, 1));
          int sum = !foldl(0, l, total, i, !add(total, i));
          string told = !interleave(l, ", ");
          list<int> some = l[0, 2];
          list<int> ranged = l[0...1];
          int one = l[1];
          list<int> upto = !range(3);
          list<int> from = !range(2, 5);
          list<int> stepped = !range(9, 0, -3);
          list<int> indices = !range(l);
          list<int> same = !listsplat(4, 2);
          list<int> without = !listremove(l, [2]);
          list<int> flat = !listflatten([l, [9]]);
          list<int> typed = []<int>;
        }
        def X : L<[1, 2, 3]>;
    """,
    "operators on dags": """
        def op; def other; def A; def B;
        class Marked;
        class D<dag d> {
          dag whole = d;
          dag joined = !con(d, (op B:$b, 5));
          dag made = !dag(op, [A, B], ["x", ?]);
          int count = !size(d);
          dag replaced = !setdagop(d, other);
          dag set = !setdagarg(d, 0, B);
          dag renamed = !setdagname(d, 0, "new");
          string label = !getdagname(d, 0);
          dag each = !foreach(x, d, x);
          bit empty = !empty(d);
        }
        def M : Marked;
        def X : D<(op A:$a, "text":$t, M, $only, [1, 2]:$l)>;
        def Y : D<(op:$name A:$a)>;
    """,
    "classes as functions": """
        class Twice<int n> { int ret = !mul(n, 2); string text = !cast<string>(n); }
        class Uses<int n> { int value = Twice<Twice<n>.ret>.ret; Twice inner = Twice<n>; string s = inner.text; }
        def X : Uses<3>;
        class Sum<list<int> l> {
          int ret = !if(!empty(l), 0, !add(!head(l), Sum<!tail(l)>.ret));
        }
        def Y { int total = Sum<[1, 2, 3, 4]>.ret; }
    """,
    "types and casts": """
        class A { int f = 1; }
        class B : A;
        def a : A;
        def b : B { let f = 2; }
        class C<A r> {
          bit derived = !isa<B>(r);
          int value = r.f;
          string name = !cast<string>(r);
          A by = !cast<A>(name);
        }
        def X : C<a>;
        def Y : C<b>;
        def Z {
          list<A> both = [a, b];
          list<int> values = !foreach(one, both, one.f);
          bit there = !exists<A>("a");
          bit missing = !exists<A>("zzz");
          bit same = !eq(a, !cast<A>("a"));
          bit text = !isa<string>("x");
        }
    """,
    "defsets and globals": """
        class A<int n> { int value = n; }
        defset list<A> All = {
          def a1 : A<1>;
          foreach i = [2, 3] in def a#i : A<i>;
        }
        defvar names = !foreach(one, All, !cast<string>(one));
        def X { list<string> all = names; int sum = !foldl(0, All, total, one, !add(total, one.value)); }
    """,
    "forward declarations and bodies": """
        class Later;
        class Uses { list<Later> all = []; }
        class Later { int x = 3; }
        def L : Later;
        def U : Uses { let all = [L]; defvar n = L.x; int y = n; assert !eq(n, 3), "three"; }
        class Field { field int f = 1; field bits<2> g = { 1, 0 }; }
        def F : Field;
    """,
    "preprocessor and comments": """
        #define HERE
        class A { int f = 1; /* a /* nested */ comment */ }
        #ifdef HERE
        def X : A;
        #else
        def Broken : : : ;
        #endif
        #ifndef HERE
        def Other : A { let f = "unbalanced; }
        #ifdef NESTED
        #endif
        #else
        def Y : A { let f = 2; } // the rest
        #endif
    """,
    "all kinds of operators": """
        def op; def other; def A; def B;
        class K<int n> { int v = n; }
        def k1 : K<1>; def k2 : K<2>; def zk : K<3>;
        def X {
          list<K> all = !instances<K>();
          list<K> some = !instances<K>("^k");
          bit m = !match("hello", "^h.*o$");
          bit j = !initialized(m);
          string r = !repr(5);
          dag d = (op:$label A:$a, 5:$n);
          int arg = !getdagarg<int>(d, "n");
          int arg2 = !getdagarg<int>(d, 1);
          string o = !getdagopname(d);
          dag ro = !setdagopname(d, "new");
          K c = !getdagop<K>((k1 A));
          list<K> ks = !filter(x, all, !gt(x.v, 1));
          bits<4> bb = 5;
          bit b1 = bb{0};
          bits<2> b2 = bb{2-1};
          int neg = !sub(2, 5);
          string t = !if(!and(1, 1), "yes", "no");
          string u = !if(!or(0, 0), "yes", "no");
          list<list<int>> nested = [[1], [2, 3]];
          list<int> flat = !listflatten(nested);
          string text = [{a}] # [{b}];
          string many = !strconcat("a", "b", !cast<string>(k1));
          int head = !head(!tail([1, 2]));
          bit recs = !ne(k1, k2);
        }
    """,
    "numbers in names": """
        class 3D<int n> { int value = n; }
        def x2x4 : 3D<8>;
        def X { int value = x2x4.value; 3D inner = 3D<7>; }
    """,
}
