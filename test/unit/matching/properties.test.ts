import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '../../../shared/matching/fold.ts';
import {
  type Claimed,
  FIELD_RESULTS,
  MATCH_FIELDS,
  matchPerson,
  OVERALL,
  REASONS,
  type Registered,
} from '../../../shared/matching/match.ts';
import { spellingKey } from '../../../shared/matching/spelling.ts';
import { halfOf, PAIRS, readPairs } from '../../rigs/matching/pairs.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    'Adébáyọ̀',
    'ƘASIMU',
    "Sa'adatu",
    'Oluwa Seun',
    '1988-09-04',
    '+2348030000001',
    'm',
    '\ud800',
  ),
);

const registered: fc.Arbitrary<Registered> = fc.record(
  Object.fromEntries(MATCH_FIELDS.map((field) => [field, text])) as Record<
    (typeof MATCH_FIELDS)[number],
    typeof text
  >,
);
const claimed: fc.Arbitrary<Claimed> = registered.chain((all) =>
  fc
    .subarray([...MATCH_FIELDS])
    .map((fields) => Object.fromEntries(fields.map((field) => [field, all[field]]))),
);

/** Pairs of realistic records, because random strings hardly ever match. */
const pairs = readPairs(PAIRS).filter((pair) => halfOf(pair) === 'develop');

describe('matchPerson, for any text,', () => {
  test('never throws, and returns only documented values and scores from 0 to 1', () => {
    fc.assert(
      fc.property(claimed, registered, (claim, record) => {
        const match = matchPerson(claim, record);
        expect(OVERALL).toContain(match.overall);
        expect(Object.keys(match.fields).sort()).toEqual(Object.keys(claim).sort());
        for (const { result, score, reasons } of [...Object.values(match.fields)]) {
          expect(FIELD_RESULTS).toContain(result);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          for (const reason of reasons) expect(REASONS).toContain(reason);
        }
        expect(match.score).toBeGreaterThanOrEqual(0);
        expect(match.score).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('is deterministic', () => {
    fc.assert(
      fc.property(claimed, registered, (claim, record) => {
        expect(matchPerson(claim, record)).toEqual(matchPerson(claim, record));
      }),
    );
  });

  test('finds no different field in a claim that repeats the record', () => {
    fc.assert(
      fc.property(registered, (record) => {
        const results = Object.values(matchPerson(record, record).fields).map(({ result }) => result);
        for (const result of results) expect(['exact', 'unreadable']).toContain(result);
      }),
    );
  });
});

describe('matchPerson, for the labelled pairs:', () => {
  test('a claim that repeats the record matches exactly', () => {
    for (const { registered: record } of pairs) {
      const claim = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''));
      expect(matchPerson(claim, record)).toMatchObject({ overall: 'exact', score: 1 });
    }
  });

  test('a claim matches a record if and only if they also match with their roles swapped, unless a first name is absent', () => {
    const isMatch = (claim: Claimed, record: Registered) => {
      const { overall, fields } = matchPerson(claim, record);
      return fields.firstname?.reasons.includes('FIRST_NAME_ABSENT')
        ? undefined
        : ['exact', 'strong'].includes(overall);
    };
    const asymmetric = pairs.filter(({ claimed: claim, registered: record }) => {
      const filled = Object.fromEntries(
        MATCH_FIELDS.map((field) => [field, claim[field] ?? '']),
      ) as Registered;
      const other = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''));
      const results = [isMatch(claim, record), isMatch(other, filled)];
      return results.includes(true) && results.includes(false);
    });
    expect(asymmetric.map(({ id }) => id)).toEqual([]);
  });

  test('matches score at least 0.85, and all other pairs score less', () => {
    for (const { claimed: claim, registered: record } of pairs) {
      const { overall, score } = matchPerson(claim, record);
      expect(score >= 0.85).toBe(overall === 'exact' || overall === 'strong');
    }
  });
});

describe('folding', () => {
  test('is idempotent', () => {
    fc.assert(fc.property(text, (value) => expect(fold(fold(value))).toBe(fold(value))));
  });

  test('removes tone marks, underdots, hooks and apostrophes, and keeps the letters', () => {
    expect(fold('Adébáyọ̀ ƘASIMU Ɗanladi Ɓala Ƴahuza')).toBe('adebayo kasimu danladi bala yahuza');
    expect(fold("Sa'adatu Ma’aruf Asmaʼu")).toBe('saadatu maaruf asmau');
    expect(fold('  Adeyemi-Ojo,  T. ')).toBe('adeyemi ojo t');
    expect(fold('12 --')).toBe('');
  });
});

test('the spelling key merges spellings and keeps different names apart', () => {
  for (const [one, other] of ['shola sola', 'rasheed rashid', 'obinna obina', 'fatimah fatima'].map((words) =>
    words.split(' '),
  ))
    expect(spellingKey(one ?? '')).toBe(spellingKey(other ?? ''));
  for (const [one, other] of ['oluwaseun oluwasegun', 'adewale adewole', 'kabiru kabira'].map((words) =>
    words.split(' '),
  ))
    expect(spellingKey(one ?? '')).not.toBe(spellingKey(other ?? ''));
});

describe('the cost of long names is bounded:', () => {
  // Checks the effect of the limits on results, because durations would depend on the machine.
  test('names of many words are compared by their first words, and are at most partial unless they are equal', () => {
    const many = Array.from(
      { length: 120 },
      (_, index) => `name${String.fromCharCode(97 + (index % 26))}`,
    ).join(' ');
    const record = {
      firstname: `${many} other`,
      lastname: '',
      middlename: '',
      birthdate: '',
      gender: '',
      phone: '',
    };
    expect(matchPerson({ firstname: many }, record).overall).toBe('partial');
    expect(matchPerson({ firstname: many }, { ...record, firstname: many }).overall).toBe('exact');
  });

  test('long words are compared for equality only', () => {
    const long = 'a'.repeat(600);
    const record = {
      firstname: long,
      lastname: 'Bello',
      middlename: '',
      birthdate: '',
      gender: '',
      phone: '',
    };
    expect(matchPerson({ firstname: long, lastname: 'Bello' }, record).overall).toBe('exact');
    expect(matchPerson({ firstname: `${long}b`, lastname: 'Bello' }, record).overall).toBe('partial');
  });
});
