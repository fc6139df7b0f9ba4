import { z } from 'zod';
import { defineVariables, wholeNumber } from '../../process/variables.ts';
import { defineConfiguration } from '../../site/configuration/configuration.ts';
import { otherServer } from '../../site/configuration/visitor-fields.ts';
import { workerPath } from '../../site/visitors/worker-policy.ts';

const vapidKey = (bytes: number, kind: string) =>
  z
    .string()
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `must be a ${kind} key as "npm run cli -- push keys" prints it`,
    );

/** The keys of notifications, and how many devices may subscribe. */
export const pushVariables = defineVariables(
  {
    VAPID_PUBLIC_KEY: vapidKey(65, 'public').optional(),
    VAPID_PRIVATE_KEY: vapidKey(32, 'private').optional(),
    VAPID_SUBJECT: z
      .url({
        protocol: /^(?:https|mailto)$/,
        error: 'must be an address like mailto:you@example.org or https://example.org',
      })
      .optional(),
    SUBSCRIPTIONS_PER_HOUR: wholeNumber(1, 1_000_000).default(1000),
  },
  { VAPID_PRIVATE_KEY: 'VAPID_SUBJECT', VAPID_SUBJECT: 'VAPID_PUBLIC_KEY' },
);

/** A host, or `*.` and the domain that hosts lie one label below. */
const serviceHost = z
  .string()
  .regex(
    /^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z]{2,}$/,
    'must be a host like "push.example.org" or "*.example.org"',
  );

/** The VAPID keys say whether there are notifications. */
export const pushFields = defineConfiguration({
  fields: {
    push: z
      .strictObject({
        /** Whether the browser's question waits for a button of ours, or comes by itself seven seconds after the start. */
        prompt: z.enum(['asked', 'immediate']).default('asked'),
        /** Identifies this site's subscriptions on their server. */
        app_id: z
          .string()
          .regex(/^[\w.-]{1,60}$/, 'must be a short name without spaces')
          .default('clipferry'),
        /** The address of the service worker that shows notifications. */
        worker: z
          .string()
          .regex(workerPath, 'must be a path that ends in "/sw.js"')
          .default('/webpush/sw.js'),
        /** Hosts of the browsers' push services; nothing is sent to others. */
        services: z
          .array(serviceHost)
          .min(1)
          .default([
            'fcm.googleapis.com',
            '*.push.services.mozilla.com',
            '*.push.apple.com',
            '*.notify.windows.com',
          ]),
      })
      .refine(({ worker }) => worker !== '/sw.js', { path: ['worker'], message: 'is the site’s own worker' })
      .prefault({}),
    /** Another server that stores the subscriptions; this one by default. */
    push_url: otherServer.optional(),
  },
});
