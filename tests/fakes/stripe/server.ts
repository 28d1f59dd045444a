import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AccountStore } from './account.ts'
import { ApiError, invalid, missing } from './errors.ts'
import { newId, type MerchantAccount, type PortalSession, type Price, type Session } from './objects.ts'
import { invoicePage, onboardingPage, payPage, portalPage } from './pages.ts'
import * as params from './params.ts'
import { decodeForm, parseParams } from './params.ts'
import { thinEvent, toDelivery, webhookSecrets, type Delivery } from './webhooks.ts'

/** `lost`: it is done, but the answer doesn't arrive. `key`: the platform's key may not do this. */
export type Failure = number | 'garbage' | 'nothing' | 'lost' | 'key'

export type ReceivedRequest = { method: string; path: string; account: string | null; idempotencyKey: string | null }

export type FakeStripe = {
  url: string
  /** Environment variables with which the product uses this server. */
  env: Record<string, string>
  /** The platform's own account. */
  platform: AccountStore
  /** The objects of a coach's account. */
  account(id: string): AccountStore
  /** The connected accounts themselves, in the order in which they were created. */
  merchants: Map<string, MerchantAccount>
  /** A coach follows an account link to its end. `status`: of card payments afterwards. */
  onboard(accountId: string, status?: MerchantStatus): void
  /** Stripe or the coach ends the platform's access. */
  deauthorize(accountId: string): void
  /** Webhooks that wait to be delivered, in the order of the events. Taking them empties the list. */
  takeDeliveries(): Delivery[]
  /** From now on each webhook goes to `origin` at once, as in operation. */
  deliverTo(origin: string): void
  /** Does what is due by the clock: renewals, retries, expired sessions. */
  tick(): void
  /** Fails the next `times` requests whose method and path match. */
  fail(path: RegExp, failure: Failure, times?: number): void
  stopFailing(): void
  requests: ReceivedRequest[]
  close(): Promise<void>
}
export type MerchantStatus = 'active' | 'pending' | 'restricted'

const apiVersion = '2026-10-28.endive'
const secretKey = 'sk_test_for_tests_only'

/** A server that rejects what Stripe rejects. `now`: its clock. */
export async function startFakeStripe({ now = () => new Date(), port = 0 } = {}): Promise<FakeStripe> {
  const merchants = new Map<string, MerchantAccount>()
  const stores = new Map<string, AccountStore>()
  const links = new Map<string, { account: string; refresh: string; return: string; expiresAt: number }>()
  const failures: { path: RegExp; failure: Failure; times: number }[] = []
  const requests: ReceivedRequest[] = []
  const deauthorized = new Set<string>()
  /** Failures that are the answer for a key, as Stripe's first version keeps them. */
  const keptFailures = new Map<string, number>()
  const pending = new Map<string, Promise<void>>()
  const deliveries: Delivery[] = []
  let origin: string | null = null
  let url = ''

  const send = (delivery: Delivery): void => {
    if (origin === null) return void deliveries.push(delivery)
    const target = `${origin}/stripe/webhooks/${delivery.endpoint}`
    const request = fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': delivery.signature },
      body: delivery.body,
    })
    const key = newId('delivery')
    pending.set(
      key,
      request.then(
        () => void pending.delete(key),
        () => void pending.delete(key),
      ),
    )
  }
  const createStore = (accountId: string | null, canCharge: () => boolean) =>
    new AccountStore({
      accountId,
      now,
      onEvent: (event) => send(toDelivery(event, now())),
      url: () => url,
      canCharge,
    })
  const platform = createStore(null, () => true)
  for (const [id, amount] of [
    ['price_pro', 2900],
    ['price_premium', 5900],
  ] as const)
    platform.add<Price>({
      id,
      object: 'price',
      created: 0,
      livemode: false,
      metadata: {},
      currency: 'usd',
      unit_amount: amount,
      product: `prod_${id}`,
      recurring: { interval: 'month', interval_count: 1 },
    })

  const cardPayments = (id: string) => merchants.get(id)!.configuration.merchant.capabilities.card_payments

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => sendError(response, error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const body = await readBody(request)
    const header = (name: string) => (request.headers[name] as string | undefined) ?? null
    const accountId = header('stripe-account')
    const idempotencyKey = header('idempotency-key')
    if (!at.pathname.startsWith('/v')) return answerPage(request, response, at, new URLSearchParams(body))
    requests.push({ method, path: at.pathname, account: accountId, idempotencyKey })
    const failing = failures.find(({ path, times }) => times > 0 && path.test(`${method} ${at.pathname}`))
    if (failing) failing.times -= 1
    const key = `${accountId} ${idempotencyKey}`
    if (failing && failing.failure !== 'lost') {
      const isKept = Number(failing.failure) >= 500 && method !== 'GET' && at.pathname.startsWith('/v1')
      if (isKept && idempotencyKey) keptFailures.set(key, Number(failing.failure))
      return fail(failing.failure, response)
    }
    if (keptFailures.has(key)) return fail(keptFailures.get(key)!, response)

    if (header('authorization') !== `Bearer ${secretKey}`)
      throw new ApiError(401, { message: 'Invalid API Key provided' })
    if (header('stripe-version') !== apiVersion) throw new ApiError(400, { message: 'Invalid Stripe API version' })
    const store = findStore(accountId)
    const isWrite = method !== 'GET'
    const input = isWrite && at.pathname.startsWith('/v2') ? JSON.parse(body || '{}') : decodeForm(body)
    const call = () => callApi(store, method, at.pathname, isWrite ? input : decodeForm(at.search.slice(1)))
    const result =
      isWrite && idempotencyKey
        ? await withKey(store, idempotencyKey, createHash('sha256').update(`${method} ${at.pathname} ${body}`), call)
        : { body: call(), replayed: false }
    if (failing) return void response.destroy()
    sendJson(response, 200, result.body, result.replayed ? { 'Idempotent-Replayed': 'true' } : {})
  }

  function findStore(accountId: string | null): AccountStore {
    if (accountId === null) return platform
    const store = stores.get(accountId)
    if (!store || deauthorized.has(accountId))
      throw new ApiError(403, {
        code: 'account_invalid',
        message: `The provided key does not have access to account '${accountId}'.`,
      })
    return store
  }

  /** The first answer again for the same key. Errors in parameters are not kept, as at Stripe. */
  async function withKey(
    store: AccountStore,
    key: string,
    hash: ReturnType<typeof createHash>,
    call: () => object,
  ): Promise<{ body: object; replayed: boolean }> {
    const request = hash.digest('hex')
    const known = store.responses.get(key)
    if (known && known.request !== request)
      throw new ApiError(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' })
    if (known?.response) return { body: known.response.body, replayed: true }
    if (known) throw new ApiError(409, { code: 'idempotency_key_in_use' })
    store.responses.set(key, { request, response: null })
    try {
      // Another request with the same key meets this one.
      await new Promise((resolve) => setImmediate(resolve))
      const body = structuredClone(call())
      store.responses.set(key, { request, response: { status: 200, body } })
      return { body, replayed: false }
    } catch (error) {
      store.responses.delete(key)
      throw error
    }
  }

  function callApi(store: AccountStore, method: string, path: string, input: unknown): object {
    const [, version, ...parts] = path.split('/')
    if (version === 'v2') return callV2(store, method, parts.join('/'), input)
    const parse = <S extends Parameters<typeof parseParams>[0]>(schema: S) => parseParams(schema, input)
    const [resource, id = '', verb = ''] =
      parts[0] === 'checkout' || parts[0] === 'billing_portal' ? parts.slice(1) : parts
    const name = parts[0] === 'billing_portal' ? 'portal_sessions' : resource
    const route = `${method} ${name}${id ? '/{id}' : ''}${verb ? `/${verb}` : ''}`
    switch (route) {
      case 'POST customers': {
        const { email = null, name: clientName = null, metadata } = parse(params.CustomerCreate)
        return store.add({ ...store.base('customer', 'cus', metadata), email, name: clientName })
      }
      case 'GET customers/{id}':
        return parse(params.Nothing) && store.get('customer', id)
      case 'GET prices/{id}':
        return parse(params.Nothing) && store.get('price', id)
      case 'POST sessions':
        return store.createSession(parse(params.SessionCreate))
      case 'GET sessions/{id}':
        return parse(params.Nothing) && store.get('checkout.session', id)
      case 'POST sessions/{id}/expire':
        return parse(params.Nothing) && store.expireSession(id)
      case 'GET sessions': {
        const { payment_intent, subscription, customer, status, ...page } = parse(params.SessionList)
        return listPage(path, page, store.list('checkout.session'), { payment_intent, subscription, customer, status })
      }
      case 'GET payment_intents/{id}': {
        const { expand } = parse(params.PaymentIntentRetrieve)
        const intent = store.get('payment_intent', id)
        const charge = expand && intent.latest_charge
        return charge ? { ...intent, latest_charge: store.get('charge', charge) } : intent
      }
      case 'GET payment_intents': {
        const { customer, ...page } = parse(params.PaymentIntentList)
        return listPage(path, page, store.list('payment_intent'), { customer })
      }
      case 'GET charges/{id}':
        return parse(params.Nothing) && store.get('charge', id)
      case 'POST refunds':
        return store.refund(parse(params.RefundCreate))
      case 'GET refunds/{id}':
        return parse(params.Nothing) && store.get('refund', id)
      case 'GET refunds': {
        const { payment_intent, ...page } = parse(params.RefundList)
        return listPage(path, page, store.list('refund'), { payment_intent })
      }
      case 'GET disputes/{id}':
        return parse(params.Nothing) && store.get('dispute', id)
      case 'GET disputes': {
        const { payment_intent, ...page } = parse(params.DisputeList)
        return listPage(path, page, store.list('dispute'), { payment_intent })
      }
      case 'GET subscriptions/{id}':
        return parse(params.Nothing) && store.get('subscription', id)
      case 'POST subscriptions/{id}':
        return store.updateSubscription(id, parse(params.SubscriptionUpdate))
      case 'DELETE subscriptions/{id}':
        return parse(params.SubscriptionCancel) && store.cancelSubscription(id)
      case 'GET subscriptions': {
        const { customer, status, price, ...page } = parse(params.SubscriptionList)
        const all = store
          .list('subscription')
          .filter((one) => status === 'all' || (status ? one.status === status : one.status !== 'canceled'))
          .filter((one) => price === undefined || one.items.data.some((item) => item.price.id === price))
        return listPage(path, page, all, { customer })
      }
      case 'POST products':
        return store.createProduct(parse(params.ProductCreate))
      case 'POST subscription_schedules':
        return store.createSchedule(parse(params.ScheduleCreate).from_subscription)
      case 'POST subscription_schedules/{id}':
        return store.updateSchedule(id, parse(params.ScheduleUpdate))
      case 'POST subscription_schedules/{id}/release':
        return parse(params.Nothing) && store.releaseSchedule(id)
      case 'GET subscription_schedules/{id}':
        return parse(params.Nothing) && store.get('subscription_schedule', id)
      case 'GET invoice_payments': {
        const { payment, ...page } = parse(params.InvoicePaymentList)
        const all = store
          .list('invoice')
          .flatMap((invoice) =>
            invoice.payments.data.map((one) => ({ ...one, created: invoice.created, invoice: invoice.id })),
          )
        const matching = all.filter((one) => !payment || one.payment.payment_intent === payment.payment_intent)
        return listPage(path, page, matching, {})
      }
      case 'GET invoices/{id}':
        return parse(params.Nothing) && store.get('invoice', id)
      case 'GET invoices': {
        const { subscription, customer, status, ...page } = parse(params.InvoiceList)
        const all = store
          .list('invoice')
          .filter(({ parent }) => !subscription || parent.subscription_details.subscription === subscription)
        return listPage(path, page, all, { customer, status })
      }
      case 'POST invoices/{id}': {
        if (id === 'create_preview') return store.previewInvoice(parse(params.InvoicePreview))
        const { auto_advance: advances } = parse(params.InvoiceUpdate)
        const invoice = store.get('invoice', id)
        return Object.assign(invoice, advances === undefined ? {} : { auto_advance: advances })
      }
      case 'POST invoices/{id}/finalize': {
        const { auto_advance: advances } = parse(params.InvoiceFinalize)
        const invoice = store.finalize(store.get('invoice', id))
        return Object.assign(invoice, advances === undefined ? {} : { auto_advance: advances })
      }
      case 'POST invoices/{id}/void':
        return parse(params.Nothing) && store.voidInvoice(store.get('invoice', id))
      case 'GET events': {
        const { types, ...page } = parse(params.EventList)
        return listPage(
          path,
          page,
          store.events.filter(({ type }) => !types || types.some((one) => one === type)),
          {},
        )
      }
      case 'POST portal_sessions': {
        const { customer, return_url = null, flow_data: flow = null } = parse(params.PortalSessionCreate)
        store.requireCustomer(customer)
        const base = store.base('billing_portal.session', 'bps')
        return store.add<PortalSession>({ ...base, customer, return_url, flow, url: `${url}/portal/${base.id}` })
      }
      default:
        throw new ApiError(404, { message: `Unrecognized request URL (${method}: ${path}).` })
    }
  }

  function callV2(store: AccountStore, method: string, path: string, input: unknown): object {
    if (store !== platform) throw new ApiError(400, { message: 'Accounts are the platform’s.' })
    const [, resource, id] = path.split('/')
    if (method === 'POST' && path === 'core/accounts') return createMerchant(parseParams(params.AccountCreate, input))
    if (method === 'POST' && path === 'core/account_links') {
      const { account, use_case } = parseParams(params.AccountLinkCreate, input)
      if (!merchants.has(account) || deauthorized.has(account)) throw missing(account)
      const page = use_case.type === 'account_onboarding' ? use_case.account_onboarding : use_case.account_update
      const token = newId('link')
      const expires = now().getTime() + 5 * 60_000
      links.set(token, {
        account,
        refresh: page.refresh_url,
        return: page.return_url ?? page.refresh_url,
        expiresAt: expires,
      })
      return {
        object: 'v2.core.account_link',
        account,
        created: now().toISOString(),
        expires_at: new Date(expires).toISOString(),
        livemode: false,
        url: `${url}/setup/${token}`,
        use_case,
      }
    }
    if (method === 'GET' && resource === 'accounts' && id) {
      const { include = [] } = parseParams(params.AccountRetrieve, input)
      const merchant = merchants.get(id)
      if (!merchant) throw missing(id)
      if (deauthorized.has(id)) throw new ApiError(403, { code: 'account_invalid' })
      // Parts that aren't asked for are null.
      const { configuration, requirements, defaults, identity, ...shown } = merchant
      return {
        ...shown,
        configuration: include.includes('configuration.merchant') ? configuration : null,
        requirements: include.includes('requirements') ? requirements : null,
        defaults: include.includes('defaults') ? defaults : null,
        identity: include.includes('identity') ? identity : null,
      }
    }
    throw new ApiError(404, { message: `Unrecognized request URL (${method}: /v2/${path}).` })
  }

  function createMerchant(
    input: Omit<
      MerchantAccount,
      'configuration' | 'requirements' | 'id' | 'object' | 'created' | 'livemode' | 'closed' | 'applied_configurations'
    >,
  ): MerchantAccount {
    const id = newId('acct').replace('acct_', 'acct_1')
    const { contact_email, display_name, dashboard, identity, defaults } = input
    const merchant: MerchantAccount = {
      id,
      object: 'v2.core.account',
      created: now().toISOString(),
      livemode: false,
      applied_configurations: ['merchant'],
      contact_email,
      display_name,
      dashboard,
      closed: false,
      identity,
      defaults,
      configuration: {
        merchant: {
          applied: true,
          capabilities: {
            card_payments: {
              status: 'restricted',
              status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
            },
          },
        },
      },
      requirements: {
        entries: [{ description: 'identity.business_details', awaiting_action_from: 'user' }],
        summary: { minimum_deadline: { status: 'currently_due' } },
      },
    }
    merchants.set(id, merchant)
    stores.set(
      id,
      createStore(id, () => cardPayments(id).status === 'active'),
    )
    return merchant
  }

  function onboard(accountId: string, status: MerchantStatus = 'active'): void {
    const merchant = merchants.get(accountId)!
    const waits = status === 'restricted'
    cardPayments(accountId).status = status
    cardPayments(accountId).status_details = waits
      ? [{ code: 'requirements_past_due', resolution: 'provide_info' }]
      : []
    merchant.requirements = waits
      ? {
          entries: [{ description: 'identity.individual.documents', awaiting_action_from: 'user' }],
          summary: { minimum_deadline: { status: 'past_due' } },
        }
      : { entries: [] }
    for (const type of [
      'v2.core.account[requirements].updated',
      'v2.core.account[configuration.merchant].capability_status_updated',
    ])
      send(toDelivery(thinEvent(type, accountId, now()), now()))
  }

  function deauthorize(accountId: string): void {
    stores.get(accountId)!.emit('account.application.deauthorized', { id: 'ca_practice', object: 'application' })
    deauthorized.add(accountId)
  }

  function answerPage(request: IncomingMessage, response: ServerResponse, at: URL, form: URLSearchParams): void {
    const [, page, first = '', second = ''] = at.pathname.split('/')
    if (page === 'setup') return answerOnboarding(request, response, first, form)
    if (page === 'portal') return answerPortal(request, response, first, form)
    if (page === 'invoice') return answerInvoice(request, response, first)
    if (page === 'pass-days') return passDays(response, stores.get(first), form)
    if (page === 'charge-now') return chargeNow(response, first, form)
    const store = page === 'pay' ? (first === 'platform' ? platform : stores.get(first)) : undefined
    if (!store) return sendHtml(response, 404, '<p>Not found</p>')
    const session = store.get('checkout.session', second)
    if (session.status !== 'open') return sendHtml(response, 410, '<p>This page has expired.</p>')
    if (request.method !== 'POST') return sendHtml(response, 200, payPage(session))
    const how = form.get('how')
    if (how === 'back') return void response.writeHead(302, { Location: session.cancel_url! }).end()
    const to = store.pay(session.id, how === 'declined' || how === 'bank_debit' ? how : 'card')
    if (to === null) return sendHtml(response, 402, payPage(session, 'Your card was declined.'))
    // As at Stripe, the webhook usually arrives first.
    void Promise.all(pending.values()).then(() => response.writeHead(302, { Location: to }).end())
  }

  /** Stripe's page of an invoice, to which emails about failed charges lead. */
  function answerInvoice(request: IncomingMessage, response: ServerResponse, id: string): void {
    const store = [platform, ...stores.values()].find(({ objects }) => objects.has(id))
    if (!store) return sendHtml(response, 404, '<p>Not found</p>')
    if (request.method === 'POST') store.payInvoice(id)
    const invoice = store.get('invoice', id)
    void Promise.all(pending.values()).then(() => sendHtml(response, 200, invoicePage(invoice)))
  }

  /**
   * For tests in browsers, which share this server: lets days pass for one account, with the stored cards as they are
   * then.
   */
  function passDays(response: ServerResponse, store: AccountStore | undefined, form: URLSearchParams): void {
    if (!store) return sendHtml(response, 404, '<p>Not found</p>')
    const card = form.get('card') === 'declined' ? 'declined' : 'card'
    for (const { id } of store.list('customer')) store.cards.set(id, card)
    store.passDays(Number(form.get('days')))
    void Promise.all(pending.values()).then(() => sendHtml(response, 200, '<p>Done</p>'))
  }

  /** For tests in browsers: charges one coach for their plan, since all coaches share the platform's days. */
  function chargeNow(response: ServerResponse, customer: string, form: URLSearchParams): void {
    platform.chargeNow(customer, form.get('card') === 'declined' ? 'declined' : 'card')
    void Promise.all(pending.values()).then(() => sendHtml(response, 200, '<p>Done</p>'))
  }

  function answerOnboarding(
    request: IncomingMessage,
    response: ServerResponse,
    token: string,
    form: URLSearchParams,
  ): void {
    const link = links.get(token)
    if (!link) return sendHtml(response, 404, '<p>Not found</p>')
    if (link.expiresAt <= now().getTime()) return void response.writeHead(302, { Location: link.refresh }).end()
    if (request.method !== 'POST') return sendHtml(response, 200, onboardingPage(merchants.get(link.account)!))
    // It works once.
    link.expiresAt = 0
    const status = form.get('status')
    if (status !== 'leave') onboard(link.account, status === 'restricted' || status === 'pending' ? status : 'active')
    void Promise.all(pending.values()).then(() => response.writeHead(302, { Location: link.return }).end())
  }

  function answerPortal(request: IncomingMessage, response: ServerResponse, id: string, form: URLSearchParams): void {
    const session = platform.get('billing_portal.session', id)
    if (request.method !== 'POST') return sendHtml(response, 200, portalPage(session))
    for (const subscription of platform.list('subscription'))
      if (subscription.customer === session.customer && form.get('do') === 'cancel')
        platform.updateSubscription(subscription.id, { cancel_at_period_end: true })
    if (form.get('do') === 'card') platform.cards.set(session.customer, 'card')
    if (form.get('do') === 'confirm') confirmChange(session)
    void Promise.all(pending.values()).then(() =>
      response.writeHead(302, { Location: session.return_url ?? '/' }).end(),
    )
  }

  /** The plan changes at once, and what it costs until the end of the period is charged. */
  function confirmChange({ flow }: PortalSession): void {
    if (flow?.type !== 'subscription_update_confirm') return
    const { subscription, items } = flow.subscription_update_confirm
    platform.updateSubscription(subscription, { items, proration_behavior: 'always_invoice' })
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_BASE_URL: url,
      STRIPE_WEBHOOK_SECRET: webhookSecrets.platform,
      STRIPE_CONNECT_WEBHOOK_SECRET: webhookSecrets.connect,
      STRIPE_THIN_WEBHOOK_SECRET: webhookSecrets.thin,
      STRIPE_PRICE_PRO: 'price_pro',
      STRIPE_PRICE_PREMIUM: 'price_premium',
    },
    platform,
    account(id) {
      const store = stores.get(id)
      if (!store) throw new Error(`There is no account ${id}`)
      return store
    },
    merchants,
    onboard,
    deauthorize,
    takeDeliveries: () => deliveries.splice(0),
    deliverTo: (to) => void (origin = to),
    tick: () => [platform, ...stores.values()].forEach((store) => store.tick()),
    requests,
    fail: (path, failure, times = Number.POSITIVE_INFINITY) => void failures.push({ path, failure, times }),
    stopFailing: () => void failures.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Listed = { id: string; created: number }
type PageParams = {
  limit?: number | undefined
  starting_after?: string | undefined
  created?: { gt?: number; gte?: number; lt?: number; lte?: number } | undefined
  expand?: string[] | undefined
}

/** Newest first. `equal`: properties that must have a value, unless it is undefined. */
function listPage<T extends Listed>(
  url: string,
  { limit = 10, starting_after, created = {} }: PageParams,
  objects: T[],
  equal: Record<string, unknown>,
): object {
  const { gt = -1, gte = 0, lt = Infinity, lte = Infinity } = created
  const matching = objects
    .toReversed()
    .filter((one) => one.created > gt && one.created >= gte && one.created < lt && one.created <= lte)
    .filter((one) =>
      Object.entries(equal).every(([key, value]) => value === undefined || one[key as keyof T] === value),
    )
  const start = starting_after ? matching.findIndex(({ id }) => id === starting_after) + 1 : 0
  if (starting_after && start === 0) throw invalid('resource_missing', 'starting_after')
  const data = matching.slice(start, start + limit)
  return { object: 'list', data, has_more: matching.length > start + limit, url }
}

function fail(failure: Exclude<Failure, 'lost'>, response: ServerResponse): void {
  if (failure === 'nothing') return void response.destroy()
  if (failure === 'garbage') return sendHtml(response, 404, '<!doctype html><p>Sign in to the Wi-Fi')
  if (failure === 'key')
    throw new ApiError(403, { message: 'The provided key does not have the required permissions for this endpoint.' })
  const bodies: Record<number, ConstructorParameters<typeof ApiError>[1]> = {
    401: { message: 'Invalid API Key provided' },
    402: { type: 'card_error', code: 'card_declined' },
    403: { code: 'account_invalid' },
    404: { code: 'resource_missing' },
    409: { code: 'lock_timeout' },
    429: { code: 'rate_limit' },
  }
  throw new ApiError(
    failure,
    bodies[failure] ?? { type: failure >= 500 ? 'api_error' : 'invalid_request_error', code: 'failed' },
    failure === 429 ? { 'Retry-After': '30' } : {},
  )
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': newId('req'), ...headers })
    .end(JSON.stringify(body))
}

function sendHtml(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return
  if (error instanceof ApiError) return sendJson(response, error.status, { error: error.body }, error.headers)
  sendJson(response, 500, { error: { type: 'api_error', message: String(error) } })
}

export type { Session }
