import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { renderUnicodeCompact } from 'uqr';
import { readEnvironment } from '../../../process/environment.ts';
import type { CommandTools } from '../../../server/commands/declaration.ts';
import { printJson, printText } from '../../../server/commands/print.ts';
import { codeAddress, hashPassword, newCodeKey } from './credentials.ts';
import { operatorLine } from './operators.ts';

/** 120 bits, which base32 writes as 24 letters and digits that phones type easily. */
const passwordBytes = 15;
const saltBytes = 16;

/** Prints an operator's line for the file, the password, and the address of the second factor with its QR code. */
export async function addOperator(
  { name: typed, withoutCode, json }: { name: string; withoutCode: boolean; json: boolean },
  { readConfiguration }: CommandTools,
): Promise<number> {
  const name = typed.normalize('NFC');
  const { brand } = await readConfiguration(readEnvironment(process.env).SITE_CONFIG);
  const password = new Secret({ size: passwordBytes }).base32.toLowerCase();
  const salt = randomBytes(saltBytes);
  const codeKey = withoutCode ? null : newCodeKey();
  const line = operatorLine({ name, salt, hash: await hashPassword(password, salt), codeKey });
  const address = codeKey === null ? null : codeAddress(brand, name, codeKey);
  if (json) printJson({ name, line, password, address });
  else {
    const { OPERATOR_PASSWORDS_FILE: file = 'the file that OPERATOR_PASSWORDS_FILE names' } = process.env;
    printText(
      `Add this line to ${file}:\n\n${line}\n\nThe password, which is not shown again:\n\n${password}`,
    );
    if (address !== null)
      printText(
        `\nThe second factor: scan this with an authenticator app.\n\n${renderUnicodeCompact(address, { border: 2 })}\n${address}`,
      );
  }
  return 0;
}
