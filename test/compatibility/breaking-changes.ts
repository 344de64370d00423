/**
 * Finds the changes between two OpenAPI documents that break existing clients, as defined in docs/guides/versioning.md. It
 * knows only the keywords that our document uses.
 */

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** A newer version must accept every request that the older one accepted, and return at least what it returned. */
type Direction = 'request' | 'response';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Returns one message for each breaking change, starting with its location. Empty if existing clients keep working. */
export function breakingChanges(older: Json, newer: Json): string[] {
  const comparison = new Comparison(objectOf(older), objectOf(newer));
  comparison.compareDocuments();
  return comparison.breaks;
}

class Comparison {
  readonly breaks: string[] = [];
  readonly #older: JsonObject;
  readonly #newer: JsonObject;

  constructor(older: JsonObject, newer: JsonObject) {
    this.#older = older;
    this.#newer = newer;
  }

  #reportIf(isBreak: boolean, message: string): void {
    if (isBreak) this.breaks.push(message);
  }

  #compareSchemas(direction: Direction, at: string, older: Json, newer: Json): void {
    const [was, is] = [resolve(this.#older, older), resolve(this.#newer, newer)];
    const isRequest = direction === 'request';
    const [wasTypes, isTypes] = [listOf(was['type']), listOf(is['type'])];
    const lost = isRequest ? without(wasTypes, isTypes) : without(isTypes, wasTypes);
    this.#reportIf(
      wasTypes.length !== isTypes.length && lost.length === 0 && wasTypes.length * isTypes.length === 0,
      `${at}: only one version has a type`,
    );
    this.#reportIf(
      wasTypes.length > 0 && isTypes.length > 0 && lost.length > 0,
      `${at}: type changed from ${wasTypes.join(' or ')} to ${isTypes.join(' or ')}`,
    );
    this.#compareValues(direction, at, was, is);
    this.#compareLimits(direction, at, was, is);
    this.#compareObjects(direction, at, was, is);
    if (was['items'] !== undefined) this.#compareSchemas(direction, `${at}[]`, was['items'], is['items']);
    for (const keyword of ['oneOf', 'anyOf', 'allOf'] as const) {
      const [before, after] = [listOf(was[keyword]), listOf(is[keyword])];
      const added = after.length - before.length;
      this.#reportIf(
        isRequest ? added < 0 : added !== 0 && keyword !== 'oneOf',
        `${at}: ${keyword} had ${before.length} alternatives and now has ${after.length}`,
      );
      for (const [index, alternative] of before.entries()) {
        if (after[index] !== undefined)
          this.#compareSchemas(direction, `${at}.${keyword}[${index}]`, alternative, after[index]);
      }
    }
  }

  #compareValues(direction: Direction, at: string, was: JsonObject, is: JsonObject): void {
    // New codes are allowed. `x-error-codes` shows removed ones: see compareCodes.
    if (direction === 'response' && at.endsWith('.code')) return;
    // Clients must expect values that they do not know, so new ones are allowed, but none may be removed.
    const isOpen = was[KNOWN_VALUES] !== undefined;
    const mayGrow = direction === 'request' || isOpen;
    const [before, after] = [was, is].map((one) => valuesOf(isOpen ? { enum: one[KNOWN_VALUES] } : one));
    // Every value of `subset` must also be in `superset`. Undefined means any value.
    const [subset, superset] = mayGrow ? [before, after] : [after, before];
    if (!superset) return;
    this.#reportIf(!subset, `${at}: values other than ${superset.join(', ')} are now possible`);
    const change = direction === 'request' ? 'now rejected' : mayGrow ? 'removed' : 'new';
    for (const value of without(subset ?? [], superset))
      this.#reportIf(true, `${at}: the value ${value} is ${change}`);
  }

  #compareLimits(direction: Direction, at: string, was: JsonObject, is: JsonObject): void {
    for (const keyword of ['pattern', 'format'] as const)
      this.#reportIf(
        direction === 'request'
          ? is[keyword] !== undefined && is[keyword] !== was[keyword]
          : was[keyword] !== undefined && is[keyword] !== was[keyword],
        `${at}: ${keyword} changed from ${was[keyword]} to ${is[keyword]}`,
      );
    if (direction === 'response') return;
    for (const keyword of ['maxLength', 'maximum', 'maxItems'] as const)
      this.#reportIf(
        numberOr(is[keyword], Infinity) < numberOr(was[keyword], Infinity),
        `${at}: ${keyword} is now ${is[keyword]}`,
      );
    for (const keyword of ['minLength', 'minimum', 'minItems'] as const)
      this.#reportIf(
        numberOr(is[keyword], -Infinity) > numberOr(was[keyword], -Infinity),
        `${at}: ${keyword} is now ${is[keyword]}`,
      );
  }

  #compareObjects(direction: Direction, at: string, was: JsonObject, is: JsonObject): void {
    const [before, after] = [objectOf(was['properties']), objectOf(is['properties'])];
    for (const [name, schema] of Object.entries(before)) {
      if (after[name] === undefined) this.#reportIf(true, `${at}.${name}: removed`);
      else this.#compareSchemas(direction, `${at}.${name}`, schema, after[name]);
    }
    const [required, requiredNow] = [listOf(was['required']), listOf(is['required'])];
    const changed = direction === 'request' ? without(requiredNow, required) : without(required, requiredNow);
    for (const name of changed)
      this.#reportIf(true, `${at}.${name}: now ${direction === 'request' ? 'required' : 'optional'}`);
    this.#reportIf(
      direction === 'request' &&
        is['additionalProperties'] === false &&
        was['additionalProperties'] !== false,
      `${at}: unknown fields are now rejected`,
    );
  }

  #compareContent(direction: Direction, at: string, before: Json, after: Json): void {
    const [was, is] = [objectOf(objectOf(before)['content']), objectOf(objectOf(after)['content'])];
    for (const [type, media] of Object.entries(was)) {
      if (is[type] === undefined) this.#reportIf(true, `${at}: the content type ${type} was removed`);
      else
        this.#compareSchemas(
          direction,
          at,
          objectOf(media)['schema'] ?? {},
          objectOf(is[type])['schema'] ?? {},
        );
    }
  }

  #compareResponses(at: string, before: JsonObject, after: JsonObject): void {
    for (const [status, response] of Object.entries(before)) {
      if (after[status] === undefined) {
        this.#reportIf(true, `${at} ${status}: removed`);
        continue;
      }
      const [was, is] = [resolve(this.#older, response), resolve(this.#newer, after[status])];
      const headers = without(Object.keys(objectOf(was['headers'])), Object.keys(objectOf(is['headers'])));
      for (const name of headers) this.#reportIf(true, `${at} ${status}: the header ${name} was removed`);
      this.#compareContent('response', `${at} ${status}`, was, is);
    }
  }

  #compareCodes(at: string, was: JsonObject, is: JsonObject): void {
    for (const code of listOf(was['x-error-codes']).map(String)) {
      const { status, charged = 'no' } = objectOf(objectOf(this.#older['x-codes'])[code]);
      const { charged: chargedNow = 'no' } = objectOf(objectOf(this.#newer['x-codes'])[code]);
      const isRemoved = !listOf(is['x-error-codes']).includes(code);
      this.#reportIf(isRemoved, `${at} ${status}: the code ${code} was removed`);
      this.#reportIf(
        !isRemoved && charged !== chargedNow,
        `${at} ${status}: the charge of ${code} changed from ${charged} to ${chargedNow}`,
      );
    }
  }

  #compareOperations(at: string, was: JsonObject, is: JsonObject): void {
    const named = (root: JsonObject, operation: JsonObject) =>
      new Map(
        listOf(operation['parameters']).map((one) => {
          const parameter = resolve(root, one);
          return [`${parameter['in']} ${parameter['name']}`, parameter] as const;
        }),
      );
    const [before, after] = [named(this.#older, was), named(this.#newer, is)];
    for (const [name, parameter] of before) {
      const same = after.get(name);
      if (!same) this.#reportIf(true, `${at}: the parameter ${name} was removed`);
      else this.#compareSchemas('request', `${at} ${name}`, parameter['schema'] ?? {}, same['schema'] ?? {});
    }
    for (const [name, { required }] of after)
      this.#reportIf(
        required === true && before.get(name)?.['required'] !== true,
        `${at}: the parameter ${name} is now required`,
      );
    const [body, bodyNow] = [
      resolve(this.#older, was['requestBody'] ?? {}),
      resolve(this.#newer, is['requestBody'] ?? {}),
    ];
    this.#reportIf(
      bodyNow['required'] === true && body['required'] !== true,
      `${at}: a body is now required`,
    );
    this.#compareContent('request', `${at} body`, body, bodyNow);
    this.#compareCodes(at, was, is);
    this.#compareResponses(at, objectOf(was['responses']), objectOf(is['responses']));
  }

  compareDocuments(): void {
    for (const [path, item] of Object.entries(objectOf(this.#older['paths']))) {
      for (const method of METHODS) {
        const was = objectOf(item)[method];
        const is = objectOf(objectOf(this.#newer['paths'])[path])[method];
        if (was === undefined) continue;
        const at = `${method.toUpperCase()} ${path}`;
        if (is === undefined) this.#reportIf(true, `${at}: removed`);
        else this.#compareOperations(at, objectOf(was), objectOf(is));
      }
    }
  }
}

function objectOf(value: Json): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function listOf(value: Json): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function without(values: readonly Json[], others: readonly Json[]): Json[] {
  return values.filter((value) => !others.includes(value));
}

/** The values that a response can have today. */
const KNOWN_VALUES = 'x-extensible-enum';

/** Returns the values of `enum` or `const`, or undefined if any value is allowed. */
function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']];
  return schema['enum'] === undefined ? undefined : listOf(schema['enum']);
}

function numberOr(value: Json, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** Follows `$ref`s within the document. */
function resolve(root: JsonObject, value: Json): JsonObject {
  const { $ref } = objectOf(value);
  if (typeof $ref !== 'string') return objectOf(value);
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<Json>((at, name) => objectOf(at)[name], root);
  return resolve(root, found);
}
