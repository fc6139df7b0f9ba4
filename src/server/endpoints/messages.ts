import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../downloader/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { type FormName, forms } from '../../site/forms/fields.ts';
import { faultText } from '../../site/forms/form-texts.ts';
import { statusOf } from '../../site/forms/message-answer.ts';
import { localeOf } from '../errors.ts';
import type { ServerParts } from '../parts.ts';

/** Much more than the longest message, so that a field that is too long can be named. */
const maxBodyBytes = 256 * 1024;

const bodySchema = z.record(z.string().max(100), z.unknown());

/** Keys are public and stay, whatever the reasons are called here. */
const keys = { limit: 'message_limit', unavailable: 'message_network', network: 'message_network' } as const;

/** `POST /api/contact` and `POST /api/dmca`: the fields of the form as JSON. */
export function messageEndpoints(app: FastifyInstance, { messageDesk }: ServerParts): void {
  for (const form of Object.keys(forms) as FormName[])
    app.post(`/api/${form}`, { bodyLimit: maxBodyBytes }, async (request, reply) => {
      const body = bodySchema.safeParse(request.body);
      if (!body.success) throw new Failure('request_invalid', { cause: body.error, note: 'body is no form' });
      const locale = localeOf(request);
      const outcome = await messageDesk({ form, locale, given: body.data }, request);
      reply.headers({ 'cache-control': 'no-store', vary: 'Accept-Language' });
      if (outcome.kind === 'sent') return { code: 200, cscode: 200, data: { id: outcome.number } };
      const t = createTranslate<'forms'>(locale, loadMessages(locale, 'forms'));
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
