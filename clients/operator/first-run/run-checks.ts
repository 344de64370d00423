import { spawn } from 'node:child_process';
import type { FirstRunCheck } from './checks.ts';

export interface FirstRunRow {
  readonly check: FirstRunCheck;
  readonly state: 'passed' | 'failed' | 'not checked' | 'not checkable here';
  /** The end of the output and what a person answered, or why it was not checked. */
  readonly evidence: string;
}

export interface FirstRun {
  /** Of the shell. Checks add to them. */
  readonly variables: NodeJS.ProcessEnv;
  /** Leaves out what needs AWS itself. */
  readonly isEmulated: boolean;
  /** Returns what the person has seen. Empty if they did not check it. */
  readonly ask: (question: string) => Promise<string>;
}

const EVIDENCE_LINES = 12;

/** Runs one check. A failed one does not stop the others, unless they need what it saves. */
export async function runCheck(check: FirstRunCheck, run: FirstRun): Promise<FirstRunRow> {
  const { needs = [], onlyOnAws, command, ask } = check;
  if (run.isEmulated && onlyOnAws)
    return { check, state: 'not checkable here', evidence: `It needs ${onlyOnAws}.` };
  const missing = needs.filter((name) => !run.variables[name]);
  if (missing.length > 0)
    return { check, state: 'not checked', evidence: `It needs ${missing.join(' and ')}.` };
  const result = command ? await runCommand(check, command, run) : { passed: true, evidence: '' };
  if (!result.passed || !ask)
    return { check, state: result.passed ? 'passed' : 'failed', evidence: result.evidence };
  const seen = await run.ask(`${check.name}: ${ask}`);
  const evidence = [result.evidence, seen && `${ask} ${seen}`].filter(Boolean).join('\n');
  return { check, state: seen ? 'passed' : 'not checked', evidence };
}

async function runCommand({ passes, saves = {} }: FirstRunCheck, command: string, { variables }: FirstRun) {
  const { code, output } = await shell(command, variables);
  for (const [name, pattern] of Object.entries(saves)) {
    const [, value] = pattern.exec(output) ?? [];
    if (value) variables[name] = value;
  }
  const isSaved = Object.keys(saves).every((name) => variables[name]);
  const passed = code === 0 && isSaved && (passes?.test(output.trim()) ?? true);
  return { passed, evidence: `exit code ${code}\n${lastLines(redacted(output))}` };
}

function shell(command: string, env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += String(text);
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

const lastLines = (text: string) => text.trimEnd().split('\n').slice(-EVIDENCE_LINES).join('\n');

/** The report is kept and shown to others. */
function redacted(text: string): string {
  return text.replaceAll(/idv_(live|test)_\w+/g, 'idv_$1_...').replaceAll(/\b\d{11}\b/g, '<number>');
}

/** Returns the report as a page. */
export function formatReport(title: string, rows: readonly FirstRunRow[]): string {
  const count = (state: FirstRunRow['state']) => rows.filter((row) => row.state === state).length;
  const states = ['passed', 'failed', 'not checked', 'not checkable here'] as const;
  return [
    `# ${title}`,
    states.map((state) => `${count(state)} ${state}`).join(', '),
    ['| check | state | shows |', '|---|---|---|', ...rows.map(rowOf)].join('\n'),
    ...rows.map(sectionOf),
    '',
  ].join('\n\n');
}

function rowOf({ check: { name, shows }, state }: FirstRunRow): string {
  return `| ${name} | ${state} | ${shows} |`;
}

function sectionOf({ check: { name, command }, state, evidence }: FirstRunRow): string {
  const text = [command && `$ ${command}`, evidence].filter(Boolean).join('\n');
  return `## ${name}: ${state}\n\n\`\`\`\n${text}\n\`\`\``;
}
