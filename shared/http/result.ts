import type { APIGatewayProxyResult } from 'aws-lambda';

export type HttpResponse = APIGatewayProxyResult;

/** In the short envelope (contract C1). */
export interface Information {
  readonly kind: 'information';
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

/** Such as the OpenAPI document. */
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

export type Result = Information | Document | PdfFile | NotModified;
