import { type z } from 'zod'
import { ApiError, invalid, missing } from './errors.ts'
import {
  addIntervals,
  newId,
  type Charge,
  type Intent,
  type Invoice,
  type Metadata,
  type Price,
  type Refund,
  type Dispute,
  type Schedule,
  type Session,
  type StripeEvent,
  type StripeObject,
  type Subscription,
} from './objects.ts'
import type {
  InvoicePreview,
  ProductCreate,
  RefundCreate,
  ScheduleUpdate,
  SessionCreate,
  SubscriptionUpdate,
} from './params.ts'

/**
 * How a payment goes. `bank_debit`: it is known days later. `requires_action`: the bank asks the client, who agrees at
 * once on a payment page, and later on the page of an invoice.
 */
export type Payment = 'card' | 'declined' | 'bank_debit' | 'requires_action'

type SessionPlan = { lines: { price: Price; quantity: number }[]; input: z.output<typeof SessionCreate> }

type ItemChange = NonNullable<z.output<typeof SubscriptionUpdate>['items']>[number]

const day = 86_400
const minCharge = 50
/** Seconds after which a subscription's draft is finalized, and the days between the attempts to charge it. */
const draftSeconds = 3600
const retryDays = [3, 5, 7]

/** Everything of one account: the platform's own or a coach's. */
export class AccountStore {
  readonly objects = new Map<string, StripeObject>()
  readonly events: StripeEvent[] = []
  readonly responses = new Map<string, { request: string; response: { status: number; body: object } | null }>()
  /** How the stored card of a customer pays. */
  readonly cards = new Map<string, Payment>()
  /** Whether refunds are known at once, later, or fail later. */
  refunds: 'succeeded' | 'pending' = 'succeeded'
  /** Whether card payments are active; always for the platform's own. */
  canCharge: () => boolean
  /** The ids of those that exist. */
  private readonly products = new Set<string>()
  private readonly plans = new Map<string, SessionPlan>()
  private readonly accountId: string | null
  private readonly now: () => Date
  /** Milliseconds that this account is ahead of the others. */
  private ahead = 0
  private readonly onEvent: (event: StripeEvent) => void
  private readonly url: () => string

  constructor(options: {
    accountId: string | null
    now: () => Date
    onEvent: (event: StripeEvent) => void
    url: () => string
    canCharge: () => boolean
  }) {
    this.accountId = options.accountId
    this.now = () => new Date(options.now().getTime() + this.ahead)
    this.onEvent = options.onEvent
    this.url = options.url
    this.canCharge = options.canCharge
  }

  seconds(): number {
    return Math.floor(this.now().getTime() / 1000)
  }

  base<Name extends StripeObject['object']>(object: Name, prefix: string, metadata: Metadata = {}) {
    return { id: newId(prefix), object, created: this.seconds(), livemode: false as const, metadata }
  }

  add<T extends StripeObject>(object: T): T {
    this.objects.set(object.id, object)
    return object
  }

  get<Name extends StripeObject['object']>(name: Name, id: string): Extract<StripeObject, { object: Name }> {
    const found = this.objects.get(id)
    if (found?.object !== name) throw missing(id)
    return found as Extract<StripeObject, { object: Name }>
  }

  list<Name extends StripeObject['object']>(name: Name): Extract<StripeObject, { object: Name }>[] {
    return [...this.objects.values()].filter((one) => one.object === name) as Extract<StripeObject, { object: Name }>[]
  }

  emit(type: string, object: StripeEvent['data']['object']): void {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      ...(this.accountId ? { account: this.accountId } : {}),
      api_version: '2026-10-28.endive',
      created: this.seconds(),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
    }
    this.events.push(event)
    this.onEvent(event)
  }

  createSession(input: z.output<typeof SessionCreate>): Session {
    if (!this.canCharge())
      throw new ApiError(400, { code: 'charges_not_enabled', message: 'The account cannot take card payments.' })
    if (input.customer) this.requireCustomer(input.customer)
    const lines = (input.line_items ?? []).map((line) => ({ price: this.toPrice(line), quantity: line.quantity }))
    if (!lines.length) throw invalid('parameter_missing', 'line_items')
    const currencies = new Set(lines.map(({ price }) => price.currency))
    if (currencies.size > 1) throw invalid('currency_mismatch', 'line_items')
    const isRecurring = lines.some(({ price }) => price.recurring)
    if (isRecurring !== (input.mode === 'subscription')) throw invalid('parameter_invalid', 'mode')
    const expiresAt = input.expires_at ?? this.seconds() + day
    if (expiresAt < this.seconds() + 1800 || expiresAt > this.seconds() + day)
      throw invalid('parameter_invalid', 'expires_at')
    const total = lines.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0)
    if (total < minCharge && !input.subscription_data?.trial_end) throw invalid('amount_too_small', 'line_items')
    const base = this.base('checkout.session', 'cs_test', input.metadata)
    const session = this.add<Session>({
      ...base,
      mode: input.mode,
      status: 'open',
      payment_status: 'unpaid',
      url: `${this.url()}/pay/${this.accountId ?? 'platform'}/${base.id}`,
      amount_total: total,
      currency: lines[0]!.price.currency,
      customer: input.customer ?? null,
      client_reference_id: input.client_reference_id ?? null,
      payment_intent: null,
      subscription: null,
      expires_at: expiresAt,
      success_url: input.success_url,
      cancel_url: input.cancel_url ?? null,
    })
    this.plans.set(session.id, { lines, input })
    return session
  }

  private toPrice({ price, price_data }: NonNullable<SessionPlan['input']['line_items']>[number]): Price {
    if (price && price_data) throw invalid('parameter_invalid', 'line_items.price_data')
    if (price) return this.get('price', price)
    if (!price_data) throw invalid('parameter_missing', 'line_items.price')
    const { recurring } = price_data
    return this.add<Price>({
      ...this.base('price', 'price'),
      currency: price_data.currency,
      unit_amount: price_data.unit_amount,
      product: this.addProduct(),
      recurring: recurring ? { interval: recurring.interval, interval_count: recurring.interval_count ?? 1 } : null,
    })
  }

  /** A price that is made with a page has a product of its own. */
  private addProduct(): string {
    const id = newId('prod')
    this.products.add(id)
    return id
  }

  /** A customer that is deleted can still be fetched, but not be used. */
  requireCustomer(id: string): void {
    if (this.get('customer', id).deleted) throw invalid('resource_missing', 'customer')
  }

  deleteCustomer(id: string): void {
    this.get('customer', id).deleted = true
    for (const one of this.list('subscription'))
      if (one.customer === id && one.status !== 'canceled') this.cancelSubscription(one.id)
  }

  expireSession(id: string): Session {
    const session = this.get('checkout.session', id)
    if (session.status !== 'open')
      throw new ApiError(400, { message: `Only open sessions can be expired; this one is ${session.status}.` })
    Object.assign(session, { status: 'expired', url: null })
    if (session.payment_intent) this.get('payment_intent', session.payment_intent).status = 'canceled'
    this.emit('checkout.session.expired', session)
    return session
  }

  /** A client pays on the page of a session. Returns where the browser goes; null stays on the page. */
  pay(id: string, how: Payment = 'card'): string | null {
    const session = this.get('checkout.session', id)
    if (session.status !== 'open') throw new ApiError(400, { message: `This session is ${session.status}.` })
    const { lines, input } = this.plans.get(id)!
    const methods = input.allowed_payment_method_types
    if (how === 'bank_debit' && methods && !methods.includes('us_bank_account'))
      throw new ApiError(400, { message: 'This page takes cards only.' })
    session.customer ??= this.add({
      ...this.base('customer', 'cus'),
      email: input.customer_email ?? null,
      name: null,
    }).id
    if (session.mode === 'payment' || how === 'declined') {
      // Each attempt at a page belongs to the same intent.
      const intent = session.payment_intent
        ? this.get('payment_intent', session.payment_intent)
        : this.createIntent(session, input.payment_intent_data?.metadata ?? {})
      if (session.mode === 'payment') session.payment_intent = intent.id
      this.attempt(intent, how)
      if (how === 'declined') return null
      if (intent.status === 'requires_action') this.succeed(intent)
    }
    this.cards.set(session.customer, 'card')
    if (session.mode === 'subscription') this.subscribe(session, lines, input)
    const isPaid = how !== 'bank_debit'
    Object.assign(session, { status: 'complete', url: null, payment_status: isPaid ? 'paid' : 'unpaid' })
    this.emit('checkout.session.completed', session)
    return session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id)
  }

  /** A bank debit arrives, or fails, days after its session. */
  settle(id: string, succeeds: boolean): void {
    const session = this.get('checkout.session', id)
    const intent = this.get('payment_intent', session.payment_intent!)
    if (succeeds) {
      this.succeed(intent)
      session.payment_status = 'paid'
    } else {
      const error = { code: 'payment_intent_payment_attempt_failed', message: 'The bank has refused.' }
      Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error })
      Object.assign(this.get('charge', intent.latest_charge!), { status: 'failed' })
      this.emit('payment_intent.payment_failed', intent)
    }
    this.emit(`checkout.session.async_payment_${succeeds ? 'succeeded' : 'failed'}`, session)
  }

  private createIntent(
    { amount_total: amount, currency, customer }: Pick<Session, 'amount_total' | 'currency' | 'customer'>,
    metadata: Metadata,
  ): Intent {
    return this.add<Intent>({
      ...this.base('payment_intent', 'pi', metadata),
      amount,
      amount_received: 0,
      currency,
      customer,
      status: 'requires_payment_method',
      latest_charge: null,
      last_payment_error: null,
    })
  }

  private attempt(intent: Intent, how: Payment): void {
    if (how === 'card') this.succeed(intent)
    if (how === 'bank_debit') {
      intent.status = 'processing'
      this.addCharge(intent, 'pending')
    }
    if (how === 'requires_action') {
      intent.status = 'requires_action'
      this.emit('payment_intent.requires_action', intent)
    }
    if (how === 'declined') {
      intent.last_payment_error = { code: 'card_declined', message: 'Your card was declined.' }
      this.addCharge(intent, 'failed')
      this.emit('payment_intent.payment_failed', intent)
    }
  }

  private addCharge(intent: Intent, status: Charge['status']): Charge {
    const charge = this.add<Charge>({
      ...this.base('charge', 'ch', intent.metadata),
      amount: intent.amount,
      amount_refunded: 0,
      currency: intent.currency,
      customer: intent.customer,
      disputed: false,
      paid: status === 'succeeded',
      payment_intent: intent.id,
      payment_method_details: { type: status === 'pending' ? 'us_bank_account' : 'card' },
      refunded: false,
      status,
    })
    intent.latest_charge = charge.id
    return charge
  }

  /** A bank debit keeps the charge with which it began. */
  private succeed(intent: Intent): void {
    const begun = intent.status === 'processing' && intent.latest_charge
    const charge = begun ? this.get('charge', begun) : this.addCharge(intent, 'succeeded')
    Object.assign(charge, { status: 'succeeded', paid: true })
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, last_payment_error: null })
    this.emit('payment_intent.succeeded', intent)
    this.emit('charge.succeeded', charge)
  }

  refund({ payment_intent, amount, metadata }: z.output<typeof RefundCreate>): Refund {
    const intent = this.get('payment_intent', payment_intent)
    if (!intent.latest_charge || intent.status !== 'succeeded')
      throw invalid('payment_intent_unexpected_state', 'payment_intent')
    const charge = this.get('charge', intent.latest_charge)
    const left = charge.amount - charge.amount_refunded
    if (left === 0) throw invalid('charge_already_refunded')
    if (charge.disputed) throw invalid('charge_disputed')
    const refunded = amount ?? left
    if (refunded > left) throw invalid('refund_amount_exceeds_balance', 'amount')
    const refund = this.add<Refund>({
      ...this.base('refund', 're', metadata),
      amount: refunded,
      currency: intent.currency,
      charge: charge.id,
      payment_intent,
      status: this.refunds,
      failure_reason: null,
    })
    charge.amount_refunded += refunded
    charge.refunded = charge.amount_refunded === charge.amount
    this.emit('refund.created', refund)
    this.emit('charge.refunded', charge)
    return refund
  }

  /** A refund that was on its way arrives or comes back. Also one that had succeeded may come back. */
  finishRefund(id: string, succeeds: boolean): void {
    const refund = this.get('refund', id)
    if (succeeds) {
      refund.status = 'succeeded'
      return this.emit('refund.updated', refund)
    }
    Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' })
    const charge = this.get('charge', refund.charge)
    charge.amount_refunded -= refund.amount
    charge.refunded = false
    this.emit('refund.failed', refund)
  }

  /** The client's bank takes a payment back. */
  dispute(paymentIntent: string): Dispute {
    const intent = this.get('payment_intent', paymentIntent)
    const charge = this.get('charge', intent.latest_charge!)
    charge.disputed = true
    const dispute = this.add<Dispute>({
      ...this.base('dispute', 'du'),
      amount: charge.amount - charge.amount_refunded,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: intent.id,
      reason: 'fraudulent',
      status: 'needs_response',
      evidence_details: { due_by: this.seconds() + 7 * day },
    })
    this.emit('charge.dispute.created', dispute)
    return dispute
  }

  closeDispute(id: string, status: 'won' | 'lost'): void {
    const dispute = this.get('dispute', id)
    dispute.status = status
    this.emit('charge.dispute.closed', dispute)
  }

  private subscribe(session: Session, lines: SessionPlan['lines'], input: SessionPlan['input']): void {
    const now = this.seconds()
    const recurring = lines.filter(({ price }) => price.recurring)
    const trialEnd = input.subscription_data?.trial_end ?? null
    const subscription = this.add<Subscription>({
      ...this.base('subscription', 'sub', input.subscription_data?.metadata),
      customer: session.customer!,
      currency: session.currency,
      status: trialEnd ? 'trialing' : 'active',
      items: {
        object: 'list',
        has_more: false,
        url: '/v1/subscription_items',
        data: recurring.map(({ price, quantity }) => ({
          id: newId('si'),
          object: 'subscription_item',
          price,
          quantity,
          current_period_start: now,
          current_period_end: trialEnd ?? addIntervals(now, price.recurring!, 1),
        })),
      },
      start_date: now,
      billing_cycle_anchor: trialEnd ?? now,
      trial_end: trialEnd,
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      latest_invoice: null,
      pause_collection: null,
      schedule: null,
    })
    session.subscription = subscription.id
    this.emit('customer.subscription.created', subscription)
    const total = trialEnd ? 0 : session.amount_total
    const invoice = this.createInvoice(subscription, total, 'subscription_create')
    this.finalize(invoice)
    this.charge(invoice)
  }

  private createInvoice(subscription: Subscription, total: number, reason: Invoice['billing_reason']): Invoice {
    const { current_period_start, current_period_end } = subscription.items.data[0]!
    const invoice = this.add<Invoice>({
      ...this.base('invoice', 'in'),
      customer: subscription.customer,
      currency: subscription.currency,
      status: 'draft',
      amount_due: total,
      amount_paid: 0,
      amount_remaining: total,
      total,
      attempt_count: 0,
      next_payment_attempt: this.seconds() + draftSeconds,
      auto_advance: true,
      billing_reason: reason,
      hosted_invoice_url: null,
      period_start: current_period_start,
      period_end: current_period_end,
      parent: {
        type: 'subscription_details',
        subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
      },
      payments: { object: 'list', data: [], has_more: false, url: '/v1/invoice_payments' },
      status_transitions: { paid_at: null },
    })
    subscription.latest_invoice = invoice.id
    this.emit('invoice.created', invoice)
    return invoice
  }

  finalize(invoice: Invoice): Invoice {
    if (invoice.status !== 'draft') throw invalid('invoice_not_editable')
    Object.assign(invoice, { status: 'open', hosted_invoice_url: `${this.url()}/invoice/${invoice.id}` })
    this.emit('invoice.finalized', invoice)
    return invoice
  }

  voidInvoice(invoice: Invoice): Invoice {
    if (invoice.status !== 'open') throw invalid('invoice_not_editable')
    Object.assign(invoice, { status: 'void', amount_remaining: 0, next_payment_attempt: null, auto_advance: false })
    this.emit('invoice.voided', invoice)
    return invoice
  }

  /** Charges the stored card of the customer. */
  private charge(invoice: Invoice): void {
    const subscription = this.get('subscription', invoice.parent.subscription_details.subscription)
    const how = this.cards.get(invoice.customer) ?? 'card'
    invoice.attempt_count += 1
    if (invoice.amount_due > 0) {
      const amounts = { amount_total: invoice.amount_due, currency: invoice.currency, customer: invoice.customer }
      const intent = this.createIntent(amounts, {})
      this.attempt(intent, how === 'bank_debit' ? 'card' : how)
      invoice.payments.data = [
        {
          id: newId('inpay'),
          object: 'invoice_payment',
          status: intent.status === 'succeeded' ? 'paid' : 'open',
          payment: { type: 'payment_intent', payment_intent: intent.id },
        },
      ]
    }
    const isRefused = how === 'declined' || how === 'requires_action'
    if (invoice.amount_due === 0 || !isRefused) return this.markPaid(invoice, subscription)
    const wait = retryDays[invoice.attempt_count - 1]
    invoice.next_payment_attempt = wait === undefined ? null : this.seconds() + wait * day
    subscription.status = wait === undefined ? 'unpaid' : 'past_due'
    if (wait === undefined) invoice.auto_advance = false
    this.emit('invoice.payment_failed', invoice)
    if (how === 'requires_action') this.emit('invoice.payment_action_required', invoice)
    this.emit('customer.subscription.updated', subscription)
  }

  private markPaid(invoice: Invoice, subscription: Subscription): void {
    Object.assign(invoice, {
      status: 'paid',
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      next_payment_attempt: null,
      status_transitions: { paid_at: this.seconds() },
    })
    this.emit('invoice.paid', invoice)
    if (subscription.status === 'past_due' || subscription.status === 'unpaid') {
      subscription.status = 'active'
      this.emit('customer.subscription.updated', subscription)
    }
  }

  /** A client pays an open invoice on its own page: agrees with their bank, or uses another card. */
  payInvoice(id: string): void {
    const invoice = this.get('invoice', id)
    if (invoice.status !== 'open') throw invalid('invoice_not_editable')
    const [payment] = invoice.payments.data
    const intent = payment && this.get('payment_intent', payment.payment.payment_intent)
    if (intent?.status === 'requires_action') {
      this.succeed(intent)
      payment!.status = 'paid'
      return this.markPaid(invoice, this.get('subscription', invoice.parent.subscription_details.subscription))
    }
    this.cards.set(invoice.customer, 'card')
    this.charge(invoice)
  }

  /** The coach gives up an invoice in the Dashboard. The subscription goes on. */
  markUncollectible(id: string): void {
    const invoice = this.get('invoice', id)
    if (invoice.status !== 'open') throw invalid('invoice_not_editable')
    Object.assign(invoice, { status: 'uncollectible', next_payment_attempt: null, auto_advance: false })
    this.emit('invoice.marked_uncollectible', invoice)
    const subscription = this.get('subscription', invoice.parent.subscription_details.subscription)
    if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return
    subscription.status = 'active'
    this.emit('customer.subscription.updated', subscription)
  }

  updateSubscription(id: string, params: z.output<typeof SubscriptionUpdate>): Subscription {
    const subscription = this.get('subscription', id)
    if (subscription.status === 'canceled') throw invalid('resource_missing', 'id')
    const { cancel_at_period_end: ends, items, metadata, pause_collection: pause } = params
    const [item] = subscription.items.data
    const isScheduled =
      subscription.schedule && this.get('subscription_schedule', subscription.schedule).status === 'active'
    if (ends !== undefined && isScheduled) throw invalid('parameter_invalid', 'cancel_at_period_end')
    // All or nothing: a charge that fails changes nothing.
    if (items) this.changeItems(subscription, { ...params, items })
    if (ends !== undefined)
      Object.assign(subscription, {
        cancel_at_period_end: ends,
        cancel_at: ends ? item!.current_period_end : null,
        canceled_at: ends ? this.seconds() : null,
      })
    if (metadata) Object.assign(subscription.metadata, metadata)
    if (pause !== undefined)
      subscription.pause_collection =
        pause === '' ? null : { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null }
    this.emit('customer.subscription.updated', subscription)
    return subscription
  }

  private changeItems(
    subscription: Subscription,
    {
      items,
      proration_behavior: proration,
      proration_date: at,
      payment_behavior: payment,
    }: z.output<typeof SubscriptionUpdate> & { items: ItemChange[] },
  ): void {
    for (const change of items) {
      const item = this.findItem(subscription, change)
      const due = this.getProration(item, change, at)
      const isCharged = proration === 'always_invoice' && due > 0
      const card = this.cards.get(subscription.customer)
      if (isCharged && payment === 'error_if_incomplete' && card === 'declined')
        throw new ApiError(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })
      if (isCharged && payment === 'error_if_incomplete' && card === 'requires_action')
        throw new ApiError(402, {
          type: 'card_error',
          code: 'subscription_payment_intent_requires_action',
          message: 'Payment for this subscription requires additional user action.',
        })
      const data = change.price_data
      if (change.price) item.price = this.get('price', change.price)
      if (data)
        item.price = this.add<Price>({
          ...this.base('price', 'price'),
          currency: data.currency,
          unit_amount: data.unit_amount,
          product: data.product,
          recurring: { interval: data.recurring.interval, interval_count: data.recurring.interval_count ?? 1 },
        })
      item.quantity = change.quantity ?? item.quantity
      if (!isCharged) continue
      const invoice = this.createInvoice(subscription, due, 'subscription_update')
      this.finalize(invoice)
      this.charge(invoice)
    }
  }

  /** An item of a subscription, for a price of the same currency whose product exists. */
  private findItem(subscription: Subscription, { id, price_data: data }: ItemChange): Subscription['items']['data'][0] {
    const item = subscription.items.data.find((one) => one.id === id)
    if (!item) throw invalid('resource_missing', 'items.id')
    if (data && data.currency !== subscription.currency) throw invalid('currency_mismatch', 'items.price_data.currency')
    if (data && !this.products.has(data.product)) throw invalid('resource_missing', 'items.price_data.product')
    return item
  }

  /** The price of a change for the rest of the period. */
  private getProration(
    item: Subscription['items']['data'][0],
    { price, price_data: data, quantity = item.quantity }: ItemChange,
    at = this.seconds(),
  ): number {
    const { current_period_start: start, current_period_end: end } = item
    if (at < start || at > end) throw invalid('parameter_invalid', 'proration_date')
    const unit = data?.unit_amount ?? (price ? this.get('price', price) : item.price).unit_amount
    return Math.round(((unit * quantity - item.price.unit_amount * item.quantity) * (end - at)) / (end - start))
  }

  createProduct({ name, metadata }: z.output<typeof ProductCreate>) {
    return {
      id: this.addProduct(),
      object: 'product',
      created: this.seconds(),
      livemode: false,
      name,
      metadata: metadata ?? {},
    }
  }

  /** The invoice that a change would make now; nothing is stored. */
  previewInvoice({ subscription: id, subscription_details: details }: z.output<typeof InvoicePreview>) {
    const subscription = this.get('subscription', id)
    if (subscription.status === 'canceled') throw invalid('resource_missing', 'subscription')
    const total = details.items.reduce(
      (sum, change) => sum + this.getProration(this.findItem(subscription, change), change, details.proration_date),
      0,
    )
    return {
      id: newId('upcoming_in'),
      object: 'invoice',
      subscription: id,
      currency: subscription.currency,
      total,
      amount_due: Math.max(total, 0),
    }
  }

  cancelSubscription(id: string): Subscription {
    const subscription = this.get('subscription', id)
    if (subscription.status === 'canceled') throw missing(id)
    const now = this.seconds()
    Object.assign(subscription, { status: 'canceled', canceled_at: now, ended_at: now })
    const schedule = subscription.schedule ? this.get('subscription_schedule', subscription.schedule) : null
    if (schedule?.status === 'active') schedule.status = 'canceled'
    this.emit('customer.subscription.deleted', subscription)
    return subscription
  }

  createSchedule(subscriptionId: string): Schedule {
    const subscription = this.get('subscription', subscriptionId)
    if (subscription.schedule) throw invalid('subscription_schedule_exists', 'from_subscription')
    if (subscription.status === 'canceled') throw invalid('subscription_canceled', 'from_subscription')
    const [item] = subscription.items.data
    const phase = { start_date: item!.current_period_start, end_date: item!.current_period_end }
    const items = subscription.items.data.map(({ price, quantity }) => ({ price: price.id, quantity }))
    const schedule = this.add<Schedule>({
      ...this.base('subscription_schedule', 'sub_sched'),
      subscription: subscription.id,
      released_subscription: null,
      customer: subscription.customer,
      status: 'active',
      end_behavior: 'release',
      current_phase: phase,
      phases: [{ ...phase, items }],
    })
    subscription.schedule = schedule.id
    return schedule
  }

  /** The subscription goes on without it. */
  releaseSchedule(id: string): Schedule {
    const schedule = this.get('subscription_schedule', id)
    if (schedule.status !== 'active') throw invalid('subscription_schedule_not_active')
    this.get('subscription', schedule.subscription!).schedule = null
    Object.assign(schedule, { status: 'released', released_subscription: schedule.subscription, subscription: null })
    this.emit('subscription_schedule.released', schedule)
    return schedule
  }

  updateSchedule(id: string, { end_behavior, phases, metadata }: z.output<typeof ScheduleUpdate>): Schedule {
    const schedule = this.get('subscription_schedule', id)
    if (schedule.status !== 'active') throw invalid('subscription_schedule_not_active')
    if (metadata) Object.assign(schedule.metadata, metadata)
    if (phases) {
      if (phases[0]!.start_date !== schedule.phases[0]!.start_date)
        throw invalid('parameter_invalid', 'phases.start_date')
      let start = phases[0]!.start_date!
      schedule.phases = phases.map((phase) => {
        const { duration } = phase
        if (!duration) throw invalid('parameter_missing', 'phases.duration')
        const step = { interval: duration.interval, interval_count: duration.interval_count ?? 1 }
        const end = addIntervals(start, step, 1)
        const items = phase.items.map(({ price, quantity = 1 }) => ({ price: this.get('price', price).id, quantity }))
        const planned = { start_date: start, end_date: end, items }
        start = end
        return planned
      })
      schedule.current_phase = { start_date: schedule.phases[0]!.start_date, end_date: schedule.phases[0]!.end_date }
    }
    if (end_behavior) schedule.end_behavior = end_behavior
    this.emit('subscription_schedule.updated', schedule)
    return schedule
  }

  /** Lets days pass for this account alone. */
  passDays(days: number): void {
    this.ahead += days * day * 1000
    this.tick()
  }

  /** Charges a customer's card at once: what is open again, or what the next period of their subscriptions costs. */
  chargeNow(customer: string, card: Payment): void {
    this.cards.set(customer, card)
    const listOpen = () =>
      this.list('invoice').filter(
        (one) => one.customer === customer && (one.status === 'draft' || one.status === 'open'),
      )
    if (listOpen().length === 0)
      for (const subscription of this.list('subscription').filter((one) => one.customer === customer)) {
        for (const item of subscription.items.data) item.current_period_end = this.seconds()
        this.renew(subscription)
      }
    for (const invoice of listOpen()) {
      invoice.next_payment_attempt = this.seconds()
      this.advance(invoice)
    }
  }

  /** Does what is due by the clock: sessions expire, subscriptions are charged again or end. */
  tick(): void {
    for (const session of this.list('checkout.session'))
      if (session.status === 'open' && session.expires_at <= this.seconds()) this.expireSession(session.id)
    for (const subscription of this.list('subscription')) while (this.renew(subscription)) continue
    for (const invoice of this.list('invoice')) this.advance(invoice)
  }

  /** Begins the next period if it is time. Returns whether it did. */
  private renew(subscription: Subscription): boolean {
    const [item] = subscription.items.data
    const isRunning = ['active', 'past_due', 'trialing', 'unpaid'].includes(subscription.status)
    if (!isRunning || item!.current_period_end > this.seconds()) return false
    const schedule = subscription.schedule ? this.get('subscription_schedule', subscription.schedule) : null
    const end = schedule?.status === 'active' ? schedule.phases.at(-1)!.end_date : null
    if (end !== null && end <= item!.current_period_end) {
      const ends = schedule!.end_behavior === 'cancel'
      Object.assign(schedule!, { status: ends ? 'completed' : 'released', current_phase: null })
      if (ends) this.emit('subscription_schedule.completed', schedule!)
      if (ends) return this.cancelSubscription(subscription.id), false
    }
    if (subscription.cancel_at_period_end) return this.cancelSubscription(subscription.id), false
    const next = item!.current_period_end
    for (const one of subscription.items.data) {
      const periods = countPeriods(subscription.billing_cycle_anchor, one.price, next)
      one.current_period_start = next
      one.current_period_end = addIntervals(subscription.billing_cycle_anchor, one.price.recurring!, periods + 1)
    }
    if (subscription.status === 'trialing') subscription.status = 'active'
    const total = subscription.items.data.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0)
    const invoice = this.createInvoice(subscription, total, 'subscription_cycle')
    invoice.created = next
    invoice.next_payment_attempt = next + draftSeconds
    this.emit('customer.subscription.updated', subscription)
    return true
  }

  private advance(invoice: Invoice): void {
    while (invoice.auto_advance && invoice.next_payment_attempt && invoice.next_payment_attempt <= this.seconds()) {
      const subscription = this.get('subscription', invoice.parent.subscription_details.subscription)
      if (invoice.status !== 'draft' && invoice.status !== 'open') return
      if (invoice.status === 'draft') this.finalize(invoice)
      if (subscription.pause_collection) return void this.voidInvoice(invoice)
      if (subscription.status === 'canceled') return
      this.charge(invoice)
    }
  }
}

/** The number of periods from the anchor to `until`. */
function countPeriods(anchor: number, { recurring }: Price, until: number): number {
  let count = 0
  while (addIntervals(anchor, recurring!, count + 1) <= until) count += 1
  return count
}
