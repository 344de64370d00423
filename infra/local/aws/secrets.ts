import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Deployment } from '../templates/template.ts';

/** Emulates Secrets Manager: holds the secrets of the templates, with values generated as the templates declare. */

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const NUMBERS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const generateShape = v.object({
  SecretStringTemplate: v.optional(v.string()),
  GenerateStringKey: v.optional(v.string()),
  PasswordLength: v.optional(v.number(), 32),
  ExcludeCharacters: v.optional(v.string(), ''),
  ExcludeLowercase: v.optional(v.boolean(), false),
  ExcludeUppercase: v.optional(v.boolean(), false),
  ExcludeNumbers: v.optional(v.boolean(), false),
  ExcludePunctuation: v.optional(v.boolean(), false),
  IncludeSpace: v.optional(v.boolean(), false),
});

const secretShape = v.object({
  SecretString: v.optional(v.string()),
  GenerateSecretString: v.optional(generateShape),
  KmsKeyId: v.optional(v.string()),
});

type GenerateSecretString = v.InferOutput<typeof generateShape>;

interface StoredSecret {
  readonly arn: string;
  readonly name: string;
  /** The ARN of the customer-managed key that protects the secret, if there is one. */
  readonly keyArn?: string | undefined;
  /** Absent if the template contains no value and no operator has set one. */
  value?: string;
  versionId: string;
  /** When the value was last stored during this run, or otherwise when the run started. */
  storedAtMs: number;
}

const savedShape = v.record(v.string(), v.object({ value: v.string(), versionId: v.string() }));

/** The secrets of a deployment. With a file, values are kept between runs. */
export class Secrets {
  readonly #file: string | undefined;
  readonly #byName = new Map<string, StoredSecret>();

  constructor(deployment: Deployment, file?: string) {
    this.#file = file;
    const saved = file && existsSync(file) ? v.parse(savedShape, JSON.parse(readFileSync(file, 'utf8'))) : {};
    for (const resource of deployment.ofType('AWS::SecretsManager::Secret')) {
      const name = deployment.name(resource);
      const properties = deployment.properties(resource);
      const value = initialValue(properties);
      const keyArn = v.parse(secretShape, properties).KmsKeyId;
      const initial = { versionId: randomUUID(), ...(value !== undefined && { value }) };
      const known = { arn: deployment.arn(resource), name, keyArn, storedAtMs: Date.now() };
      this.#byName.set(name, { ...known, ...(saved[name] ?? initial) });
    }
    this.#save();
  }

  /** Returns a secret by its name or ARN. */
  find(id: string): StoredSecret | undefined {
    return this.#byName.get(id) ?? [...this.#byName.values()].find(({ arn }) => arn === id);
  }

  /** Replaces the value of a secret, as `PutSecretValue` does. */
  put(secret: StoredSecret, value: string): void {
    secret.value = value;
    secret.versionId = randomUUID();
    secret.storedAtMs = Date.now();
    this.#save();
  }

  #save(): void {
    if (!this.#file) return;
    const withValue = [...this.#byName.values()].filter(({ value }) => value !== undefined);
    const content = Object.fromEntries(
      withValue.map(({ name, value, versionId }) => [name, { value, versionId }]),
    );
    writeFileSync(this.#file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  }
}

/** Returns the initial value that CloudFormation gives a secret, or undefined if there is none. */
export function initialValue(properties: unknown): string | undefined {
  const { SecretString, GenerateSecretString } = v.parse(secretShape, properties);
  return SecretString ?? (GenerateSecretString && generate(GenerateSecretString));
}

function generate(rules: GenerateSecretString): string {
  const alphabet = [
    rules.ExcludeLowercase ? '' : LOWER,
    rules.ExcludeUppercase ? '' : LOWER.toUpperCase(),
    rules.ExcludeNumbers ? '' : NUMBERS,
    rules.ExcludePunctuation ? '' : PUNCTUATION,
    rules.IncludeSpace ? ' ' : '',
  ]
    .join('')
    .split('')
    .filter((character) => !rules.ExcludeCharacters.includes(character));
  const password = Array.from(
    { length: rules.PasswordLength },
    () => alphabet[randomInt(alphabet.length)],
  ).join('');
  if (rules.GenerateStringKey === undefined) return password;
  const template = v.parse(v.record(v.string(), v.unknown()), JSON.parse(rules.SecretStringTemplate ?? '{}'));
  return JSON.stringify({ ...template, [rules.GenerateStringKey]: password });
}
