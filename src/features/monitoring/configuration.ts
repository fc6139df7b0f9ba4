import { z } from 'zod';
import { defineConfiguration } from '../../site/configuration/feature-configuration.ts';

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
    keys: z.record(z.hostname(), deviceKeys).default({}),
    /** For hosts without their own; the DSN's key if this is absent too. */
    default_keys: deviceKeys.default({}),
    /** Shares of the visits that are recorded, recorded when an error happens, and timed; from 0 to 1. */
    session_sample_rate: rate.default(0.1),
    error_session_sample_rate: rate.default(1),
    trace_sample_rate: rate.default(1),
  })
  .prefault({});

type DeviceKeys = z.infer<typeof deviceKeys>;

/** The checked settings for error reports. */
export interface MonitoringConfiguration {
  readonly environment: string;
  readonly keys: ReadonlyMap<string, DeviceKeys>;
  readonly defaultKeys: DeviceKeys;
  /** Shares of the visits, from 0 to 1. */
  readonly rates: MonitoringRates;
}

/** Shares of the visits, from 0 to 1. */
interface MonitoringRates {
  /** Recorded from the beginning. */
  readonly session: number;
  /** Recorded when an error happens. */
  readonly errorSession: number;
  /** Timed. */
  readonly trace: number;
}

function toMonitoring(field: z.infer<typeof monitoringField>): MonitoringConfiguration {
  return {
    environment: field.environment,
    keys: new Map(Object.entries(field.keys).map(([host, keys]) => [host.toLowerCase(), keys])),
    defaultKeys: field.default_keys,
    rates: {
      session: field.session_sample_rate,
      errorSession: field.error_session_sample_rate,
      trace: field.trace_sample_rate,
    },
  };
}

declare module '../../site/configuration/feature-configuration.ts' {
  interface FeatureConfigurations {
    readonly monitoring: MonitoringConfiguration;
  }
}

/** The field `monitoring`. */
export const monitoringFields = defineConfiguration({
  fields: { monitoring: monitoringField },
  read: ({ monitoring }) => ({ monitoring: toMonitoring(monitoring) }),
});

declare module '../../site/visitors/settings.ts' {
  interface FeatureSettings {
    /** Errors are reported. */
    readonly monitoring?: { readonly rates: MonitoringRates };
  }
}
