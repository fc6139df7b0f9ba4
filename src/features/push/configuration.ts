import { z } from 'zod';
import { defineConfiguration } from '../../site/configuration/configuration.ts';
import { otherServer } from '../../site/configuration/other-server.ts';
import { workerPath } from '../../site/visitors/worker-policy.ts';

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
