/**
 * Single changes of a program's source that its tests should detect.
 *
 * @module
 */

import { parse } from "@babel/parser";

export interface Mutant {
  line: number;
  from: string;
  to: string;
  /** The complete source with the change. */
  text: string;
}

/** The used members of a syntax node; other members are nodes, lists of nodes, or values. */
interface Node {
  type: string;
  start: number;
  end: number;
  loc: { start: { line: number } };
  [member: string]: unknown;
}

const OPERATORS: Readonly<Record<string, string>> = Object.fromEntries(
  "< <=,<= <,> >=,>= >,=== !==,!== ===,+ -,- +,* /,/ *,% *,& |,| &,^ &,<< >>,>> <<,>>> <<,&& ||,|| &&,+= -=,-= +=,++ --,-- ++"
    .split(",").map((pair) => pair.split(" ") as [string, string]),
);

/** All mutants of a TypeScript file, by position. Types, imports and thrown errors are not mutated. */
export function mutantsOf(text: string): Mutant[] {
  const found: Mutant[] = [];
  const replace = (node: Node, start: number, end: number, to: string): void => {
    const mutated = text.slice(0, start) + to + text.slice(end);
    const from = text.slice(start, end);
    const line = text.slice(0, start).split("\n").length;
    // Some operators can't be mixed without parentheses: `a && b ?? c`.
    if (from !== to && isProgram(mutated)) found.push({ line, from, to, text: mutated });
    else if (from === to) throw new Error(`${node.type} is replaced by itself`);
  };
  const whole = (node: Node, to: string): void => replace(node, node.start, node.end, to);
  const operator = (node: Node, from: number, to: number): void => {
    const other = OPERATORS[node.operator as string];
    const at = text.indexOf(node.operator as string, from);
    if (other !== undefined && at >= 0 && at < to) {
      replace(node, at, at + (node.operator as string).length, other);
    }
  };
  const visit = (node: Node): void => {
    const { left, right, test, argument } = node as unknown as Record<string, Node>;
    switch (node.type) {
      case "BinaryExpression":
        // Texts are joined with `+`; no other operator fits.
        if (node.operator === "+" && (isText(left!) || isText(right!))) break;
        operator(node, left!.end, right!.start);
        break;
      case "LogicalExpression":
        if (node.operator === "??") whole(node, text.slice(left!.start, left!.end));
        else operator(node, left!.end, right!.start);
        break;
      case "AssignmentExpression":
        operator(node, left!.end, right!.start);
        break;
      case "UpdateExpression":
        operator(node, node.start, node.end);
        break;
      case "UnaryExpression":
        if (node.operator === "!") whole(node, text.slice(argument!.start, argument!.end));
        break;
      case "IfStatement":
      case "ConditionalExpression":
        whole(test!, "true");
        whole(test!, "false");
        break;
      case "NumericLiteral":
        whole(node, String(node.value as number + 1));
        break;
      case "BooleanLiteral":
        whole(node, String(!node.value));
        break;
      case "ExpressionStatement":
        if (/^(Await|Call)Expression$/.test((node.expression as Node).type)) whole(node, ";");
        break;
    }
    children(node).forEach(visit);
  };
  visit(parsed(text));
  return found.sort((a, b) => a.line - b.line);
}

const WRAPPED = /^TS(As|NonNull|Satisfies)Expression$/;
const SKIPPED = /^(ImportDeclaration|ThrowStatement|JSX|TS(?!(As|NonNull|Satisfies)Expression))/;

function children(node: Node): Node[] {
  const members = WRAPPED.test(node.type) ? [node.expression] : Object.values(node).flat();
  return members.filter((member): member is Node =>
    typeof (member as Node | null)?.type === "string" &&
    typeof (member as Node).start === "number" &&
    !/^Comment(Line|Block)$/.test((member as Node).type) &&
    !SKIPPED.test((member as Node).type)
  );
}

function isText({ type }: Node): boolean {
  return type === "StringLiteral" || type === "TemplateLiteral";
}

function parsed(text: string): Node {
  const { program } = parse(text, { sourceType: "module", plugins: ["typescript"] });
  return program as unknown as Node;
}

function isProgram(text: string): boolean {
  try {
    parsed(text);
    return true;
  } catch {
    return false;
  }
}
