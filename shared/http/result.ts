import type { APIGatewayProxyResult } from 'aws-lambda';

export type HttpResponse = APIGatewayProxyResult;

/** The result of a route without a look-up: its own data in the short envelope (contract C1). */
export interface Information {
  readonly kind: 'information';
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

/** A whole document, such as the OpenAPI document or the page behind a slip's QR code. */
export interface Document {
  readonly kind: 'document';
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A PDF to download. */
export interface PdfFile {
  readonly kind: 'pdf';
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** The client already has the content. */
export interface NotModified {
  readonly kind: 'not-modified';
}

/** The result of a route without a look-up, once every check has passed. */
export type Result = Information | Document | PdfFile | NotModified;
