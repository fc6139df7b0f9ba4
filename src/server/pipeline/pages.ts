import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { delayRefusal } from '../http/limits/visitor-limits.ts';
import { noneOwn, sendResponse } from '../http/responses/send.ts';
import { statuses } from '../http/responses/statuses.ts';
import { refuseOtherSites } from '../http/visitor/fetch-metadata.ts';
import { fromFramework, logFailure, refusalIn } from '../instance/errors.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { refuseMethod } from '../instance/refusals.ts';
import { errorScreen } from '../rendering/screens.ts';
import { createViewCounting } from './page-views.ts';
import { type Handle, RouteContext, type RouteStep } from './route-context.ts';
import { type StepParts, stepsOf } from './steps.ts';

/** The site configuration names a step that does not exist. */
export class UnknownStep extends Error {
  override readonly name = 'UnknownStep';
  readonly step: string;

  constructor(step: string) {
    super(`Unknown middleware ${step}`);
    this.step = step;
  }
}

/** No step responded: the configuration omits `route`. */
function noStepResponded(): never {
  throw new Error('No route step answers: "route_steps" lacks "route"');
}

/**
 * Composes steps in the order of their names. An unknown name fails every request that reaches it with {@link
 * UnknownStep}.
 */
export function inOrder(names: readonly string[], steps: readonly RouteStep[]): Handle {
  return names.reduceRight<Handle>((next, name) => {
    const step = steps.find((one) => one.name === name);
    if (step !== undefined) return step.before(next);
    return () => {
      throw new UnknownStep(name);
    };
  }, noStepResponded);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its context in the route steps; null when the request is for no page. */
    pageContext: RouteContext | null;
  }
}

/** Much more than the longest message to the operator, so that the error can name a field that is too long. */
const maxFormBytes = 256 * 1024;

const readMethods = ['GET', 'HEAD'] as const;
const pageMethods: readonly string[] = [...readMethods, 'POST'];

/** API clients use paths below this and get no pages; the page about the API is at it. */
const isForPrograms = (url: string): boolean =>
  url.startsWith('/api/') && !/^\/api\/(?:_\.data)?(?:\?|$)/.test(url);

const refusePrograms: onRequestHookHandler = (request, reply, next) => {
  if (isForPrograms(request.url)) void reply.send(new Failure('address_unknown'));
  else next();
};

/** The route of every page, as the metrics name it. */
export const pagesRoute = '/*';

/** The text of the error screen for what a step has thrown. */
function messageFor(thrown: unknown, locale: Locale): string {
  const t = translateTo(locale, 'common');
  return thrown instanceof UnknownStep
    ? t('error.unknown-step', { name: thrown.step })
    : t('error.server.text');
}

/** Passes every address without an endpoint or a file through the route steps to the React Router application. */
export function pages(app: FastifyInstance, options: StepParts, parts: ServerDependencies): void {
  const { refusalPage } = options;
  const { configuration } = parts;
  const countView = createViewCounting(parts);
  const steps = stepsOf(parts, options);
  const handle = inOrder(configuration.route_steps ?? steps.map(({ name }) => name), steps);

  /** @param sent what a form sent, or why it could not be read */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    sent?: Buffer | Failure,
  ): Promise<void> {
    const context = new RouteContext(request, configuration, sent);
    request.pageContext = context;
    try {
      const made = await handle(context);
      // A response made for a visitor who has left may be incomplete: it is no page and no view.
      if (reply.raw.closed) return void reply.hijack();
      countView(context, made);
      sendResponse(made, context, request, reply);
    } catch (thrown) {
      if (context.signal.aborted) return void reply.hijack();
      const refusal = refusalIn(thrown);
      if (refusal !== null) {
        request.failure = refusal;
        await delayRefusal(refusal);
        return void sendResponse(refusalPage(refusal, context.address.locale), context, request, reply);
      }
      const { locale } = context.address;
      const screen = await errorScreen(
        thrown,
        (spoken) => messageFor(thrown, spoken),
        locale,
        context,
        parts,
      );
      sendResponse(screen, noneOwn, request, reply);
    }
  }

  app.decorateRequest('pageContext', null);
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxFormBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    // A visitor who submitted a form sees its page again, with the error.
    scope.setErrorHandler((thrown, request, reply) => {
      const failure = fromFramework(thrown);
      if (request.method !== 'POST' || statuses[failure.key] >= 500 || isForPrograms(request.url))
        throw thrown;
      logFailure(request, failure);
      return answer(request, reply, failure);
    });
    scope.route({
      method: [...readMethods],
      url: pagesRoute,
      onRequest: refusePrograms,
      handler: (request, reply) => answer(request, reply),
    });
    // Other sites may not send the visitor's forms for them.
    scope.post(pagesRoute, { onRequest: [refusePrograms, refuseOtherSites] }, (request, reply) =>
      answer(request, reply, request.body instanceof Buffer ? request.body : undefined),
    );
    const refuse = (request: FastifyRequest, reply: FastifyReply) =>
      void refuseMethod(pageMethods, request, reply);
    const others = scope.supportedMethods.filter((method) => !pageMethods.includes(method));
    scope.route({ method: others, url: pagesRoute, onRequest: [refusePrograms, refuse], handler: refuse });
    done();
  });
  app.setNotFoundHandler((request, reply) => {
    if (isForPrograms(request.url)) return reply.send(new Failure('address_unknown'));
    if (!readMethods.some((method) => method === request.method))
      return refuseMethod(pageMethods, request, reply);
    return answer(request, reply);
  });
}
