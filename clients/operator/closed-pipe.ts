/** The EPIPE errors of this program's own output streams. */
const own = new WeakSet<Error>();

/**
 * Keeps the program running after a reader of its output has stopped early, as `head` does. The command completes, and
 * the rest of its output is dropped.
 */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      own.add(error);
    });
}

/** Whether this error means that a reader of this program's output has stopped reading. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && own.has(error);
}
