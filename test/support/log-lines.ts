import { closeSync, openSync, readSync, statSync } from 'node:fs';

const NEWLINE = 10;

/**
 * Returns a function that finds the lines with a given text among those written to a file since this call. The
 * function keeps what it has read: tests call it hundreds of times, and the log of a run is tens of megabytes long.
 */
export function linesSince(file: string): (text: string) => string[] {
  const lines: string[] = [];
  let position = statSync(file).size;
  return (text) => {
    const added = readFrom(file, position);
    // The rest is the beginning of a line that is being written.
    const end = added.lastIndexOf(NEWLINE) + 1;
    position += end;
    lines.push(...added.toString('utf8', 0, end).split('\n').slice(0, -1));
    return lines.filter((line) => line.includes(text));
  };
}

function readFrom(file: string, position: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const content = Buffer.alloc(statSync(file).size - position);
    return content.subarray(0, readSync(descriptor, content, 0, content.length, position));
  } finally {
    closeSync(descriptor);
  }
}
