import type { Node, Statement } from '@babel/types';
import { calleeName, childrenOf, nameOf, type Source } from '../../house/project.ts';

export interface Branch {
  /** File, function and condition, such as `ledger/end-operation.ts logAndRelease: if (consumes(stored, hold))`. */
  readonly name: string;
  /**
   * Nodes that run if and only if the branch is taken. The branch is counted at the first of them that the bundler
   * kept.
   */
  readonly at: readonly Node[];
}

const MAX_TEXT = 70;

/**
 * Returns the branches of a source: sides of conditions, right-hand sides of logical operators, cases, loops, catch
 * blocks and callbacks of `catch`.
 */
export function branchesOf(source: Source, text: string): Branch[] {
  const file = source.path.replace('shared/', '');
  const branches: Branch[] = [];
  const taken = new Map<string, number>();
  const quote = ({ start, end }: Node) => {
    const one = text.slice(start ?? 0, end ?? 0).replaceAll(/\s+/g, ' ');
    return one.length > MAX_TEXT ? `${one.slice(0, MAX_TEXT)}…` : one;
  };
  const visit = (node: Node, scope: string, next?: Node) => {
    const inner = functionName(node) ?? scope;
    for (const { label, at } of branchesAt(node, quote, next)) {
      const name = `${file} ${inner || 'module'}: ${label}`;
      const count = (taken.get(name) ?? 0) + 1;
      taken.set(name, count);
      branches.push({ name: count > 1 ? `${name} (${count})` : name, at });
    }
    const children = childrenOf(node);
    for (const [index, child] of children.entries()) visit(child, inner, children[index + 1]);
  };
  visit(source.tree.program, '');
  return branches;
}

interface LabelledBranch {
  readonly label: string;
  readonly at: Node[];
}

function branchesAt(node: Node, quote: (node: Node) => string, next: Node | undefined): LabelledBranch[] {
  switch (node.type) {
    case 'IfStatement': {
      const test = quote(node.test);
      return [{ label: `if (${test})`, at: startOf(node.consequent) }, ...elseOf(node, test, next)];
    }
    case 'ConditionalExpression':
      return [
        { label: `${quote(node.test)} ? ${quote(node.consequent)}`, at: startOf(node.consequent) },
        { label: `${quote(node.test)} : ${quote(node.alternate)}`, at: startOf(node.alternate) },
      ];
    case 'LogicalExpression':
      // A default value or an optional property is not a branch.
      return /Literal|ArrayExpression|NewExpression|ObjectExpression/.test(node.right.type)
        ? []
        : [{ label: `${quote(node.left)} ${node.operator} ${quote(node.right)}`, at: startOf(node.right) }];
    case 'SwitchCase':
      return node.test && node.consequent[0]
        ? [{ label: `case ${quote(node.test)}`, at: startOf(node.consequent[0]) }]
        : [];
    case 'CatchClause':
      return [{ label: 'catch', at: startOf(node.body) }];
    case 'ForStatement':
    case 'ForOfStatement':
      return [{ label: 'loop', at: startOf(node.body) }];
    case 'CallExpression': {
      const [callback] = node.arguments;
      const isCatch = calleeName(node) === 'catch' && callback?.type === 'ArrowFunctionExpression';
      return isCatch
        ? [{ label: `${quote(node.callee)}(${quote(callback)})`, at: startOf(callback.body) }]
        : [];
    }
    default:
      return [];
  }
}

function elseOf(
  { alternate, consequent }: Extract<Node, { type: 'IfStatement' }>,
  test: string,
  next: Node | undefined,
): LabelledBranch[] {
  const label = `if not (${test})`;
  if (alternate) return [{ label, at: startOf(alternate) }];
  // If the other side exits, the next statement runs only on this side. Otherwise this side has no code to count.
  return next && exits(consequent) ? [{ label, at: startOf(next) }] : [];
}

function exits(statement: Statement): boolean {
  if (statement.type === 'BlockStatement') {
    const last = statement.body.at(-1);
    return last !== undefined && exits(last);
  }
  return ['ReturnStatement', 'ThrowStatement', 'ContinueStatement'].includes(statement.type);
}

/** Returns the nodes at which the execution of a statement or expression can be counted, best first. */
function startOf(node: Node): Node[] {
  if (node.type === 'BlockStatement') return node.body[0] ? startOf(node.body[0]) : [node];
  const inside = childrenOf(node).filter(({ type }) => !/Function|Method|^TS/.test(type));
  return [node, ...inside.flatMap((child) => startOf(child))];
}

function functionName(node: Node): string | undefined {
  if (node.type === 'FunctionDeclaration') return nameOf(node.id);
  if (node.type === 'ObjectMethod' || node.type === 'ClassMethod') return nameOf(node.key);
  if (node.type === 'ClassPrivateMethod') return node.key.id.name;
  if (node.type === 'VariableDeclarator' && node.init?.type === 'ArrowFunctionExpression')
    return nameOf(node.id);
  return undefined;
}
