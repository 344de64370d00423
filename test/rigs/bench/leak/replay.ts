import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Listening, listen } from '../../../../infra/local/http-server.ts';
import type { SentCall } from '../stage/wire.ts';

/** Starts a DynamoDB double that repeats recorded responses and stores nothing, so that only the function can grow. */
export function startReplay(recorded: readonly SentCall[]): Promise<Listening> {
  const answers = new Map<string, string>();
  for (const { operation, input, answer, status } of recorded)
    if (status === 200) answers.set(kindOf(operation, input), JSON.stringify(answer));
  const server = createServer(async (incoming, response) => {
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const answer = answers.get(kindOf(operation, (await json(incoming)) as SentCall['input']));
    response.setHeader('Content-Type', 'application/x-amz-json-1.0');
    if (answer === undefined) response.writeHead(500).end('{}');
    else response.end(answer);
  });
  return listen(server);
}

function kindOf(operation: string, input: SentCall['input']): string {
  const key = (input['Key'] ?? input['Item']) as { readonly sk?: { readonly S?: string } } | undefined;
  const word = /^[A-Za-z-]+$/.exec(key?.sk?.S ?? '')?.[0] ?? '';
  return `${operation} ${String(input['TableName'] ?? '')} ${word}`;
}
