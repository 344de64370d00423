import type { FinancialDocument } from './financial-document.ts';

type DocumentPlace = Pick<FinancialDocument, 'issuedAt' | 'number'>;

/** Newest first. */
export function pageOfDocuments(
  documents: readonly FinancialDocument[],
  after: DocumentPlace | undefined,
  limit: number,
): { readonly page: readonly FinancialDocument[]; readonly next: DocumentPlace | undefined } {
  const following = documents.filter((document) => after === undefined || isAfter(document, after));
  const page = following.slice(0, limit);
  return { page, next: following.length > limit ? page.at(-1) : undefined };
}

function isAfter(document: DocumentPlace, other: DocumentPlace): boolean {
  if (document.issuedAt !== other.issuedAt) return document.issuedAt < other.issuedAt;
  return document.number < other.number;
}
