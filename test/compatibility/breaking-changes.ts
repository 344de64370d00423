/**
 * What a newer OpenAPI document breaks for clients that were written against an older one, by the table of
 * docs/versioning.md. It knows the keywords that our document uses.
 */

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** Requests: what was accepted is accepted still. Answers: what comes is what was promised, and perhaps more. */
type Direction = 'request' | 'answer';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Each break as a sentence that begins with its place; none where old clients go on working. */
export function breakingChanges(older: Json, newer: Json): string[] {
  const comparison = new Comparison(objectOf(older), objectOf(newer));
  comparison.compareDocuments();
  return comparison.breaks;
}

class Comparison {
  readonly breaks: string[] = [];
  readonly #old: JsonObject;
  readonly #now: JsonObject;

  constructor(old: JsonObject, now: JsonObject) {
    this.#old = old;
    this.#now = now;
  }

  #note(isBroken: boolean, words: string): void {
    if (isBroken) this.breaks.push(words);
  }

  #compareSchemas(direction: Direction, place: string, before: Json, after: Json): void {
    const [was, is] = [resolve(this.#old, before), resolve(this.#now, after)];
    const isRequest = direction === 'request';
    const [wasTypes, isTypes] = [listOf(was['type']), listOf(is['type'])];
    const lost = isRequest ? without(wasTypes, isTypes) : without(isTypes, wasTypes);
    this.#note(
      wasTypes.length !== isTypes.length && lost.length === 0 && wasTypes.length * isTypes.length === 0,
      `${place}: its type is said on one side only`,
    );
    this.#note(
      wasTypes.length > 0 && isTypes.length > 0 && lost.length > 0,
      `${place}: its type was ${wasTypes.join(' or ')} and is ${isTypes.join(' or ')}`,
    );
    this.#compareValues(direction, place, was, is);
    this.#compareLimits(direction, place, was, is);
    this.#compareObjects(direction, place, was, is);
    if (was['items'] !== undefined) this.#compareSchemas(direction, `${place}[]`, was['items'], is['items']);
    for (const word of ['oneOf', 'anyOf', 'allOf'] as const) {
      const [ways, waysNow] = [listOf(was[word]), listOf(is[word])];
      const added = waysNow.length - ways.length;
      this.#note(
        isRequest ? added < 0 : added !== 0 && word !== 'oneOf',
        `${place}: ${word} had ${ways.length} forms and has ${waysNow.length}`,
      );
      ways.forEach((way, index) => {
        if (waysNow[index] !== undefined)
          this.#compareSchemas(direction, `${place}.${word}[${index}]`, way, waysNow[index]);
      });
    }
  }

  #compareValues(direction: Direction, place: string, was: JsonObject, is: JsonObject): void {
    const [before, after] = [valuesOf(was), valuesOf(is)];
    // A new code is allowed where it keeps its status: see compareCodes.
    if (direction === 'answer' && place.endsWith('.code')) return;
    const narrow = direction === 'request' ? [before, after] : [after, before];
    const [must, may] = narrow;
    if (!may) return;
    this.#note(!must, `${place}: it may now be other values than ${may.join(', ')}`);
    for (const value of without(must ?? [], may))
      this.#note(
        true,
        `${place}: the value ${value} ${direction === 'request' ? 'is refused now' : 'is new'}`,
      );
  }

  #compareLimits(direction: Direction, place: string, was: JsonObject, is: JsonObject): void {
    for (const word of ['pattern', 'format'] as const)
      this.#note(
        direction === 'request'
          ? is[word] !== undefined && is[word] !== was[word]
          : was[word] !== undefined && is[word] !== was[word],
        `${place}: its ${word} was ${was[word]} and is ${is[word]}`,
      );
    if (direction === 'answer') return;
    for (const word of ['maxLength', 'maximum', 'maxItems'] as const)
      this.#note(
        numberOr(is[word], Infinity) < numberOr(was[word], Infinity),
        `${place}: its ${word} is ${is[word]} now`,
      );
    for (const word of ['minLength', 'minimum', 'minItems'] as const)
      this.#note(
        numberOr(is[word], -Infinity) > numberOr(was[word], -Infinity),
        `${place}: its ${word} is ${is[word]} now`,
      );
  }

  #compareObjects(direction: Direction, place: string, was: JsonObject, is: JsonObject): void {
    const [before, after] = [objectOf(was['properties']), objectOf(is['properties'])];
    for (const [name, schema] of Object.entries(before)) {
      if (after[name] === undefined) this.#note(true, `${place}.${name}: it is gone`);
      else this.#compareSchemas(direction, `${place}.${name}`, schema, after[name]);
    }
    const [required, requiredNow] = [listOf(was['required']), listOf(is['required'])];
    const changed = direction === 'request' ? without(requiredNow, required) : without(required, requiredNow);
    for (const name of changed)
      this.#note(true, `${place}.${name}: it is ${direction === 'request' ? 'required' : 'optional'} now`);
    this.#note(
      direction === 'request' &&
        is['additionalProperties'] === false &&
        was['additionalProperties'] !== false,
      `${place}: other fields are refused now`,
    );
  }

  #compareContent(direction: Direction, place: string, before: Json, after: Json): void {
    const [was, is] = [objectOf(objectOf(before)['content']), objectOf(objectOf(after)['content'])];
    for (const [type, media] of Object.entries(was)) {
      if (is[type] === undefined) this.#note(true, `${place}: ${type} is gone`);
      else
        this.#compareSchemas(
          direction,
          place,
          objectOf(media)['schema'] ?? {},
          objectOf(is[type])['schema'] ?? {},
        );
    }
  }

  #compareAnswers(place: string, before: JsonObject, after: JsonObject): void {
    for (const [status, answer] of Object.entries(before)) {
      if (after[status] === undefined) {
        this.#note(true, `${place} ${status}: it is gone`);
        continue;
      }
      const [was, is] = [resolve(this.#old, answer), resolve(this.#now, after[status])];
      const headers = without(Object.keys(objectOf(was['headers'])), Object.keys(objectOf(is['headers'])));
      for (const name of headers) this.#note(true, `${place} ${status}: the header ${name} is gone`);
      const [codes, codesNow] = [objectOf(was['x-codes']), objectOf(is['x-codes'])];
      for (const [code, meaning] of Object.entries(codes)) {
        this.#note(codesNow[code] === undefined, `${place} ${status}: the code ${code} is gone`);
        const charged = [objectOf(meaning)['x-charged'], objectOf(codesNow[code])['x-charged']];
        this.#note(
          codesNow[code] !== undefined && charged[0] !== charged[1],
          `${place} ${status}: ${code} is charged otherwise`,
        );
      }
      this.#compareContent('answer', `${place} ${status}`, was, is);
    }
  }

  #compareOperations(place: string, was: JsonObject, is: JsonObject): void {
    const named = (root: JsonObject, operation: JsonObject) =>
      new Map(
        listOf(operation['parameters']).map((one) => {
          const parameter = resolve(root, one);
          return [`${parameter['in']} ${parameter['name']}`, parameter] as const;
        }),
      );
    const [before, after] = [named(this.#old, was), named(this.#now, is)];
    for (const [name, parameter] of before) {
      const same = after.get(name);
      if (!same) this.#note(true, `${place}: the parameter ${name} is gone`);
      else
        this.#compareSchemas('request', `${place} ${name}`, parameter['schema'] ?? {}, same['schema'] ?? {});
    }
    for (const [name, { required }] of after)
      this.#note(
        required === true && before.get(name)?.['required'] !== true,
        `${place}: the parameter ${name} is required now`,
      );
    const [body, bodyNow] = [
      resolve(this.#old, was['requestBody'] ?? {}),
      resolve(this.#now, is['requestBody'] ?? {}),
    ];
    this.#note(bodyNow['required'] === true && body['required'] !== true, `${place}: a body is required now`);
    this.#compareContent('request', `${place} body`, body, bodyNow);
    this.#compareAnswers(place, objectOf(was['responses']), objectOf(is['responses']));
  }

  compareDocuments(): void {
    for (const [path, item] of Object.entries(objectOf(this.#old['paths']))) {
      for (const method of METHODS) {
        const was = objectOf(item)[method];
        const is = objectOf(objectOf(this.#now['paths'])[path])[method];
        if (was === undefined) continue;
        const place = `${method.toUpperCase()} ${path}`;
        if (is === undefined) this.#note(true, `${place}: it is gone`);
        else this.#compareOperations(place, objectOf(was), objectOf(is));
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

/** The values of `enum` or `const`; undefined where any value may come. */
function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']];
  return schema['enum'] === undefined ? undefined : listOf(schema['enum']);
}

function numberOr(value: Json, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** Follows `$ref` inside the same document. */
function resolve(root: JsonObject, value: Json): JsonObject {
  const { $ref } = objectOf(value);
  if (typeof $ref !== 'string') return objectOf(value);
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<Json>((at, name) => objectOf(at)[name], root);
  return resolve(root, found);
}
