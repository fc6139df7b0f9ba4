// The certificate library's container needs this polyfill before it loads.
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import * as x509 from '@peculiar/x509';

interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface Certificates {
  /** The throw-away authority's own certificate, PEM: what a client must trust. */
  readonly authority: string;
  /** For every host of the double. */
  readonly trusted: KeyAndCertificate;
  /** For the same hosts, signed by an unknown authority. */
  readonly untrusted: KeyAndCertificate;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** Makes an authority and a server certificate for the hosts; no part of them outlives the process. */
export async function makeCertificates(hosts: readonly string[]): Promise<Certificates> {
  const [authorityKeys, serverKeys] = await Promise.all([generateKeys(), generateKeys()]);
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 30 * DAY_MS) };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Throw-away authority of the platform double',
    serialNumber: serialNumber(),
    ...validity,
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  const subject = 'CN=Platform double';
  const extensions = [
    new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns' as const, value }))),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
  ];
  const [trusted, untrusted, key] = await Promise.all([
    x509.X509CertificateGenerator.create({
      subject,
      issuer: authority.subject,
      serialNumber: serialNumber(),
      ...validity,
      publicKey: serverKeys.publicKey,
      signingKey: authorityKeys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions,
    }),
    x509.X509CertificateGenerator.createSelfSigned({
      name: subject,
      serialNumber: serialNumber(),
      ...validity,
      keys: serverKeys,
      signingAlgorithm: ALGORITHM,
      extensions,
    }),
    privateKeyPem(serverKeys),
  ]);
  return {
    authority: authority.toString('pem'),
    trusted: { key, cert: trusted.toString('pem') },
    untrusted: { key, cert: untrusted.toString('pem') },
  };
}

async function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
}

async function privateKeyPem(keys: CryptoKeyPair): Promise<string> {
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag);
}

/** Positive, so that its DER form needs no sign handling. */
function serialNumber(): string {
  return `01${randomBytes(15).toString('hex')}`;
}
