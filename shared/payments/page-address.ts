const LOOPBACK = ['127.0.0.1', 'localhost'];

/**
 * Whether our pages may link to an address that someone else has sent. It must use HTTPS, or be on this machine, where
 * the pages of the stage `local` are. Other addresses could be scripts.
 */
export function isPageAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}
