/** Of this program's own streams. */
const own = new WeakSet<Error>();

/** A reader such as `head` may stop early: the command completes, and the rest is dropped. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      own.add(error);
    });
}

export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && own.has(error);
}
