/** The store does not answer, or only that it cannot now. */
export class S3Unavailable extends Error {
  override readonly name = 'S3Unavailable';
}

/** The store answers that it will not. */
export class S3Refused extends Error {
  override readonly name = 'S3Refused';
  readonly status: number;
  /** As the protocol names it: `AccessDenied`. */
  readonly code: string;

  constructor(status: number, code: string) {
    super(`S3 answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}
