import { judgeAnswers } from './judge-answers.ts';
import { judgeBooks } from './judge-books.ts';
import { judgeCourse } from './judge-course.ts';
import type { DayRecord } from './record.ts';

export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** Everything that went against the documents in a day; empty where nothing did. */
export function judge(record: DayRecord): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => {
    violations.push({ rule, detail });
  };
  judgeAnswers(record.lines, report);
  judgeBooks(record, report);
  judgeCourse(record, report);
  return violations;
}
