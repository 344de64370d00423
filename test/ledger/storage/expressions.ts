import { isReserved } from './reserved-names.ts';

/** Parses and evaluates the DynamoDB expressions that the ledger uses, as the developer guide specifies them. */

export type Row = Readonly<Record<string, unknown>>;
export interface Bindings {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}
type Value = (row: Row, bindings: Bindings) => unknown;
type Test = (row: Row, bindings: Bindings) => boolean;
type Change = (before: Row, after: Record<string, unknown>, bindings: Bindings) => void;

const TOKEN = /\s*(<>|<=|>=|[()=<>,+\-.]|[:#]?[A-Za-z_][A-Za-z0-9_]*)/y;

class Parser {
  private readonly tokens: string[] = [];
  private position = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) this.tokens.push(match[1] ?? '');
    if (this.tokens.join('') !== text.replaceAll(/\s/g, ''))
      throw new Error(`Unsupported expression: ${text}`);
  }

  get peek(): string | undefined {
    return this.tokens[this.position];
  }
  next(): string {
    const token = this.tokens[this.position];
    if (token === undefined) throw new Error('Unexpected end of an expression.');
    this.position += 1;
    return token;
  }
  accept(token: string): boolean {
    if (this.peek !== token) return false;
    this.position += 1;
    return true;
  }
  expect(token: string): void {
    if (!this.accept(token)) throw new Error(`Expected ${token}, found ${this.peek}.`);
  }

  /** Parses a path: attribute names or `#name` placeholders, separated by dots. */
  path(): (bindings: Bindings) => string[] {
    const items = [this.next()];
    while (this.accept('.')) items.push(this.next());
    const reserved = items.find(isReserved);
    if (reserved !== undefined) throw new Error(`DynamoDB reserves the word ${reserved}. Use a #name.`);
    return ({ names }) => items.map((part) => (part.startsWith('#') ? (names[part] ?? unbound(part)) : part));
  }

  operand(): Value {
    const token = this.peek ?? '';
    if (token.startsWith(':')) {
      this.next();
      return (_, { values }) => (token in values ? values[token] : unbound(token));
    }
    if (token === 'size') return this.sizeOf();
    if (token === 'if_not_exists') return this.fallback();
    if (token === 'list_append') return this.appended();
    const path = this.path();
    return (row, bindings) => at(row, path(bindings));
  }

  private sizeOf(): Value {
    this.next();
    this.expect('(');
    const path = this.path();
    this.expect(')');
    return (row, bindings) => {
      const value = at(row, path(bindings));
      if (value instanceof Set) return value.size;
      return value === undefined ? undefined : Object.keys(Object(value)).length;
    };
  }

  private fallback(): Value {
    this.next();
    this.expect('(');
    const path = this.path();
    this.expect(',');
    const other = this.operand();
    this.expect(')');
    return (row, bindings) => at(row, path(bindings)) ?? other(row, bindings);
  }

  private appended(): Value {
    this.next();
    this.expect('(');
    const first = this.operand();
    this.expect(',');
    const second = this.operand();
    this.expect(')');
    return (row, bindings) => {
      const [a, b] = [first(row, bindings), second(row, bindings)];
      if (!Array.isArray(a) || !Array.isArray(b)) throw new Error('An operand of list_append is not a list.');
      return [...a, ...b];
    };
  }

  sum(): Value {
    const left = this.operand();
    const sign = this.accept('+') ? 1 : this.accept('-') ? -1 : 0;
    if (sign === 0) return left;
    const right = this.operand();
    return (row, bindings) => {
      const [a, b] = [left(row, bindings), right(row, bindings)];
      if (typeof a !== 'number' || typeof b !== 'number')
        throw new Error('An operand of an update is not a number.');
      return a + sign * b;
    };
  }

  condition(): Test {
    let left = this.conjunction();
    while (this.accept('OR')) {
      const [a, b] = [left, this.conjunction()];
      left = (row, bindings) => a(row, bindings) || b(row, bindings);
    }
    return left;
  }

  private conjunction(): Test {
    let left = this.test();
    while (this.accept('AND')) {
      const [a, b] = [left, this.test()];
      left = (row, bindings) => a(row, bindings) && b(row, bindings);
    }
    return left;
  }

  private test(): Test {
    if (this.accept('(')) {
      const inner = this.condition();
      this.expect(')');
      return inner;
    }
    if (this.peek === 'attribute_exists' || this.peek === 'attribute_not_exists') return this.existence();
    if (this.peek === 'contains') return this.containment();
    if (this.peek === 'begins_with') return this.beginning();

    const left = this.operand();
    if (this.peek === 'IN') return this.membership(left);
    if (this.peek === 'BETWEEN') return this.range(left);
    const operator = this.next();
    const compare = COMPARISONS[operator];
    const right = this.operand();
    if (!compare) throw new Error('Unsupported comparison operator.');
    return (row, bindings) => {
      const [a, b] = [left(row, bindings), right(row, bindings)];
      // If an attribute is missing or the types differ, only `<>` is true.
      if (a === undefined || b === undefined || typeof a !== typeof b) return operator === '<>';
      return compare(a, b);
    };
  }

  private membership(left: Value): Test {
    this.next();
    this.expect('(');
    const members = [this.operand()];
    while (this.accept(',')) members.push(this.operand());
    this.expect(')');
    return (row, bindings) => members.some((member) => member(row, bindings) === left(row, bindings));
  }

  private range(value: Value): Test {
    this.next();
    const first = this.operand();
    this.expect('AND');
    const last = this.operand();
    return (row, bindings) => {
      const text = value(row, bindings);
      if (typeof text !== 'string') return false;
      return text >= String(first(row, bindings)) && text <= String(last(row, bindings));
    };
  }

  private existence(): Test {
    const isWanted = this.next() === 'attribute_exists';
    this.expect('(');
    const path = this.path();
    this.expect(')');
    return (row, bindings) => (at(row, path(bindings)) !== undefined) === isWanted;
  }

  private beginning(): Test {
    this.next();
    this.expect('(');
    const path = this.path();
    this.expect(',');
    const prefix = this.operand();
    this.expect(')');
    return (row, bindings) => {
      const text = at(row, path(bindings));
      return typeof text === 'string' && text.startsWith(String(prefix(row, bindings)));
    };
  }

  private containment(): Test {
    this.next();
    this.expect('(');
    const path = this.path();
    this.expect(',');
    const value = this.operand();
    this.expect(')');
    return (row, bindings) => {
      const set = at(row, path(bindings));
      return set instanceof Set && set.has(value(row, bindings));
    };
  }
}

/** Comparisons of two values of the same type: numbers by value, strings by their characters. */
const COMPARISONS: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => isLess(a, b),
  '<=': (a, b) => !isLess(b, a),
  '>': (a, b) => isLess(b, a),
  '>=': (a, b) => !isLess(a, b),
};

function isLess(a: unknown, b: unknown): boolean {
  return typeof a === 'string' ? a < String(b) : Number(a) < Number(b);
}

function unbound(name: string): never {
  throw new Error(`${name} has no value.`);
}

export function at(row: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined,
    row,
  );
}

/** Copies the maps along the path, so that rows that were read before do not change. */
function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    if (value === undefined) delete target[first];
    else target[first] = value;
    return;
  }
  const inner = target[first];
  if (typeof inner !== 'object' || inner === null) {
    if (value === undefined) return;
    throw new Error(`The document path ${path.join('.')} is invalid for update.`);
  }
  const copy = { ...inner };
  target[first] = copy;
  put(copy, rest, value);
}

function parseUpdate(text: string): Change[] {
  const parser = new Parser(text);
  const changes: Change[] = [];
  while (parser.peek !== undefined) {
    const verb = parser.next();
    do changes.push(clause(verb, parser));
    while (parser.accept(','));
  }
  return changes;
}

function clause(verb: string, parser: Parser): Change {
  const path = parser.path();
  if (verb === 'REMOVE') return (_, after, bindings) => put(after, path(bindings), undefined);
  if (verb === 'SET') {
    parser.expect('=');
    const value = parser.sum();
    // The right-hand side reads the row as it was before the update.
    return (before, after, bindings) => put(after, path(bindings), value(before, bindings));
  }
  const operand = parser.operand();
  return (before, after, bindings) => {
    const old = at(before, path(bindings));
    const argument = operand(before, bindings);
    if (verb === 'ADD' && typeof argument === 'number')
      return put(after, path(bindings), (typeof old === 'number' ? old : 0) + argument);
    if (!(argument instanceof Set))
      throw new Error(`${verb} is supported for sets and, if it is ADD, numbers only.`);
    const set = old instanceof Set ? old : new Set();
    const changed = verb === 'ADD' ? set.union(argument) : set.difference(argument);
    put(after, path(bindings), changed.size > 0 ? changed : undefined);
  };
}

const MAX_CACHED = 1_000;
const conditions = new Map<string, Test>();
const updates = new Map<string, Change[]>();

function memoized<T>(cache: Map<string, T>, text: string, parse: (text: string) => T): T {
  const cached = cache.get(text) ?? parse(text);
  // Some expressions contain a time, so an unlimited cache would fill the memory in long runs.
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, cached);
  return cached;
}

export function holds(condition: string, row: Row, bindings: Bindings): boolean {
  return memoized(conditions, condition, (text) => new Parser(text).condition())(row, bindings);
}

export function updated(expression: string, row: Row, bindings: Bindings): Row {
  const after = { ...row };
  for (const change of memoized(updates, expression, parseUpdate)) change(row, after, bindings);
  return after;
}
