import { z } from 'zod';
import { defineVariables } from '../../process/variables.ts';
import { defineConfiguration } from '../../site/configuration/configuration.ts';

/** The form that servers of the protocol use; a password after the key is an older form. */
const dsn = z.string().refine((text) => {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    /^[A-Za-z0-9]{1,64}$/.test(url.username) &&
    /^(?:\/[\w.-]+)*\/\d{1,20}$/.test(url.pathname) &&
    url.search + url.hash === ''
  );
}, 'must be an address like https://key@errors.example/42');

/** Says whether errors are reported, and where. */
export const monitoringVariables = defineVariables({ SENTRY_DSN: dsn.optional() });

/** The public part of a DSN, with the project behind a slash where it is another one than the DSN's. */
const clientKey = z
  .string()
  .regex(
    /^[A-Za-z0-9]{1,64}(?:\/\d{1,20})?$/,
    'must be a client key, or a key and a project like "0f3c…/42"',
  );

/** A key for each kind of device; one that is left out has the default. */
const deviceKeys = z.strictObject({ desktop: clientKey.optional(), mobile: clientKey.optional() });

const rate = z.number().min(0).max(1);

/** The field of the site configuration file that says how errors are reported; `SENTRY_DSN` says whether, and where. */
const monitoringField = z
  .strictObject({
    /** Names where the reports come from, beside those of other installations. */
    environment: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'must be a short name without spaces')
      .default('production'),
    /** Client keys by the host that a visitor requested. */
    keys: z
      .record(z.hostname(), deviceKeys)
      .default({})
      .transform((keys) => new Map(Object.entries(keys).map(([host, own]) => [host.toLowerCase(), own]))),
    /** For hosts without their own; the DSN's key if this is absent too. */
    default_keys: deviceKeys.default({}),
    /** Shares of the visits that are recorded, recorded when an error happens, and timed; from 0 to 1. */
    session_sample_rate: rate.default(0.1),
    error_session_sample_rate: rate.default(1),
    trace_sample_rate: rate.default(1),
  })
  .prefault({});

/** The field `monitoring`. */
export const monitoringFields = defineConfiguration({ fields: { monitoring: monitoringField } });

/** How errors are reported. */
export type MonitoringConfiguration = z.output<typeof monitoringField>;

declare module '../../site/visitors/settings.ts' {
  interface FeatureSettings {
    /** Errors are reported. */
    readonly monitoring?: Pick<
      MonitoringConfiguration,
      `${'session' | 'error_session' | 'trace'}_sample_rate`
    >;
  }
}
