import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import { writeCookie } from '../../server/http/visitor/cookies.ts';
import { consentOf } from '../../server/http/visitor/request-consent.ts';
import { localeOf } from '../../server/instance/errors.ts';
import type { MessageReceiver } from '../../server/rendering/site-services.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { type FormName, forms, statusOf } from '../../site/forms.ts';
import { faultText } from '../../site/pages/message-form/field-messages.ts';
import { storedItems } from '../../site/visitors/stored/stored-items.ts';

/** Much more than the longest message, so that the error can name a field that is too long. */
const maxBodyBytes = 256 * 1024;

const bodySchema = z.record(z.string().max(100), z.unknown());

/** These keys are public and stable, independent of the reasons' internal names. */
const keys = { limit: 'message_limit', unavailable: 'message_network', network: 'message_network' } as const;

/**
 * Stores the sender's address on their own device, for the form's next use and for their reports. Browsers without
 * scripts need it for neither, and submit their forms elsewhere.
 */
function emailCookie(email: string, isSecure: boolean): string {
  const { lifeS } = storedItems.email;
  const value = encodeURIComponent(email);
  return writeCookie({ name: 'email', value, maxAgeS: lifeS, isForScripts: true }, isSecure);
}

/** `POST /api/contact` and `POST /api/dmca`: the fields of the form as JSON. */
export function messageEndpoints(
  app: FastifyInstance,
  receiveMessage: MessageReceiver,
  { statistics, consent }: Pick<SiteConfiguration, 'statistics' | 'consent'>,
): void {
  const isCounted = ({ headers }: FastifyRequest) => statistics && consentOf(headers, consent).statistics;

  for (const form of Object.keys(forms) as FormName[])
    app.post(`/api/${form}`, { bodyLimit: maxBodyBytes }, async (request, reply) => {
      const body = bodySchema.safeParse(request.body);
      if (!body.success) throw new Failure('request_invalid', { cause: body.error, note: 'body is no form' });
      const locale = localeOf(request);
      const outcome = await receiveMessage({ form, locale, given: body.data }, request);
      reply.headers({ 'cache-control': 'no-store', vary: 'Accept-Language' });
      if (outcome.kind === 'sent') {
        if (form === 'contact' && isCounted(request))
          reply.header('set-cookie', emailCookie(String(body.data.email).trim(), request.isSecure));
        return { code: 200, cscode: 200, data: { reference: outcome.reference } };
      }
      const t = translateTo(locale, 'forms');
      const code = statusOf(outcome);
      if (outcome.kind === 'failed') {
        if (outcome.retryAfterS !== undefined) reply.header('retry-after', String(outcome.retryAfterS));
        const error = { key: keys[outcome.reason], message: t(`failed.${outcome.reason}`) };
        return reply.code(code).send({ code, cscode: code, error });
      }
      const fields = forms[form].flatMap((field) => {
        const fault = outcome.faults[field.name];
        return fault === undefined
          ? []
          : [[field.name, { key: fault.key, message: faultText(t, field, fault) }] as const];
      });
      const message = t('faults.title', { count: fields.length });
      return reply.code(code).send({
        code,
        cscode: code,
        error: { key: 'form_invalid', message, fields: Object.fromEntries(fields) },
      });
    });
}
