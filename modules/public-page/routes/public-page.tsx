import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { ChevronDown, ChevronUp, Plus } from 'lucide-react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button, ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { LoadOlderLink } from '#app/ui/components/pagination.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import { TestimonialDialog } from '../components/testimonial-dialog.tsx'
import { maxTestimonials, shownTestimonials } from '../fields.ts'
import { ContactFormSwitch, EditTestimonialForm, MoveForm, TestimonialForm } from '../forms.ts'
import { publicPageUrl } from '../list-state.ts'
import { loadPublicPage } from '../public-page-loader.server.ts'
import { deleteContactMessage, restoreContactMessage } from '../services/contact-messages.ts'
import { switchContactForm } from '../services/settings.ts'
import {
  createTestimonial,
  deleteTestimonial,
  moveTestimonial,
  restoreTestimonial,
  updateTestimonial,
} from '../services/testimonials.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Public Page')

export function loader({ request, context }: LoaderFunctionArgs) {
  return loadPublicPage(context.coach(), request.url)
}

const messages = {
  add: { done: 'Testimonial added', failed: 'Failed to add the testimonial.' },
  edit: { done: 'Testimonial updated', failed: 'Failed to update the testimonial.' },
  move: { done: 'Testimonial moved', failed: 'Failed to move the testimonial.' },
  show: { done: 'Testimonial shown', failed: 'Failed to show the testimonial.' },
  hide: { done: 'Testimonial hidden', failed: 'Failed to hide the testimonial.' },
  delete: { done: 'Testimonial deleted', failed: 'Failed to delete the testimonial.' },
  restore: { done: 'Testimonial restored', failed: 'Failed to restore the testimonial.' },
  switch: { done: 'Contact form saved', failed: 'Failed to save the contact form.' },
  'delete-message': { done: 'Message deleted', failed: 'Failed to delete the message.' },
  'restore-message': { done: 'Message restored', failed: 'Failed to restore the message.' },
}

export const action = formActions(
  messages,
  {
    add: { schema: TestimonialForm, run: createTestimonial, to: () => publicPageUrl.href() },
    edit: {
      schema: EditTestimonialForm,
      run: (ctx, { id, version, ...input }) => updateTestimonial(ctx, id, input, version),
    },
    move: { schema: MoveForm, run: moveTestimonial, to: ({ page }) => page, isButton: true },
    show: { schema: ById, run: (ctx, { id }) => updateTestimonial(ctx, id, { isShown: true }) },
    hide: { schema: ById, run: (ctx, { id }) => updateTestimonial(ctx, id, { isShown: false }) },
    delete: { schema: ById, run: (ctx, { id }) => deleteTestimonial(ctx, id), undo: 'restore' },
    restore: { schema: ById, run: (ctx, { id }) => restoreTestimonial(ctx, id), to: ({ page }) => page },
    switch: { schema: ContactFormSwitch, run: switchContactForm, to: ({ page }) => page, isButton: true },
    'delete-message': {
      schema: ById,
      run: (ctx, { id }) => deleteContactMessage(ctx, id),
      undo: 'restore-message',
      to: () => publicPageUrl.href(),
    },
    'restore-message': { schema: ById, run: (ctx, { id }) => restoreContactMessage(ctx, id), to: ({ page }) => page },
  },
  { home: publicPageUrl.href(), dialog: ['dialog', 'testimonial'] },
)

export const clientAction = formClientAction(messages)

export default function PublicPage() {
  const { address, state, testimonials, dialog, selected, isMissing } = useLoaderData<typeof loader>()
  const closeTo = publicPageUrl.href(state)
  const isFull = testimonials.length >= maxTestimonials
  return (
    <Page
      title="Public Page"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Public Page' }]}
      description="What visitors find at your own address: who you are, what you offer, what clients say."
      actions={
        !isFull && (
          <PrimaryLink icon={Plus} to={publicPageUrl.href(state, { dialog: 'add' })} preventScrollReset>
            Add Testimonial
          </PrimaryLink>
        )
      }
    >
      <div className="grid gap-6">
        <Card title="Address">
          <Address address={address} />
        </Card>
        <Card title="Testimonials">
          {testimonials.length ? <Testimonials /> : <NoTestimonials />}
          {isFull && (
            <p className="note border-t border-line-soft px-5 py-3">
              These are {maxTestimonials}, the most there can be. Delete one to add another.
            </p>
          )}
        </Card>
        <Card title="Contact form">
          <ContactFormSettings />
          <Messages />
        </Card>
      </div>
      {dialog === 'add' && <TestimonialDialog closeTo={closeTo} />}
      {dialog === 'edit' && selected && (
        <TestimonialDialog
          key={selected.id}
          testimonial={selected}
          closeTo={closeTo}
          deleteTo={publicPageUrl.href(state, { dialog: 'delete', testimonial: selected.id })}
        />
      )}
      {dialog === 'delete' && selected && (
        <ConfirmDialog
          title="Delete Testimonial"
          confirm="Delete Testimonial"
          busyLabel="Deleting..."
          closeTo={closeTo}
          fields={{ intent: 'delete', id: String(selected.id) }}
        >
          The testimonial of {selected.name} leaves your public page, and stays in the trash for 30 days.
        </ConfirmDialog>
      )}
      {isMissing && <NotFoundDialog label="Testimonial" kind="testimonial" closeTo={closeTo} />}
    </Page>
  )
}

function Address({ address }: { address: string | null }) {
  if (!address)
    return (
      <p className="border-t border-line-soft px-5 py-5 text-ink-2">
        Your page needs an address first: choose one on the{' '}
        <Link className="link" to="/branding">
          Branding page
        </Link>
        .
      </p>
    )
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line-soft px-5 py-5">
      <p className="min-w-0 flex-1 basis-60 font-medium wrap-anywhere">{address}</p>
      <a className="btn btn-secondary" href={`${address}/?view=public`} target="_blank" rel="noreferrer">
        View Public Page
      </a>
      <CopyButton text={address} label="Copy Address" />
      <p className="w-full text-ink-3">
        Your photo is part of your{' '}
        <Link className="link" to="/settings/account">
          account
        </Link>
        , your name and text are in the{' '}
        <Link className="link" to="/settings">
          settings
        </Link>
        , your logo and color under{' '}
        <Link className="link" to="/branding">
          Branding
        </Link>
        .
      </p>
    </div>
  )
}

function NoTestimonials() {
  return (
    <EmptyState title="No testimonials yet" illustration={<ChairsIllustration />}>
      Ask a client for a few sentences and for permission to publish them, and add them here.
    </EmptyState>
  )
}

const stateLabels = { shown: 'Shown', hidden: 'Hidden', waiting: 'Not on the page' } as const

function Testimonials() {
  const { testimonials, state } = useLoaderData<typeof loader>()
  return (
    <>
      <ul className="rows border-t border-line-soft" aria-label="Testimonials">
        {testimonials.map(({ id, quote, name, role, isShown, state: shown }, index) => (
          <li key={id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-4">
            <div className="min-w-0 flex-1 basis-60">
              <p className="prose-serif line-clamp-3 whitespace-pre-line wrap-anywhere">{quote}</p>
              <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-ink-3 wrap-anywhere">
                <span className="min-w-0 font-medium text-ink-2">{name}</span>
                {role && <span className="min-w-0">{role}</span>}
                <Badge tone={shown === 'shown' ? 'success' : 'neutral'}>{stateLabels[shown]}</Badge>
              </p>
            </div>
            <div className="flex shrink-0 flex-wrap items-center gap-1">
              <MoveButton id={id} to="up" name={name} disabled={index === 0} />
              <MoveButton id={id} to="down" name={name} disabled={index === testimonials.length - 1} />
              <Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value={isShown ? 'hide' : 'show'} />
                <input type="hidden" name="id" value={id} />
                <Button type="submit" size="sm" aria-label={`${isShown ? 'Hide' : 'Show'} ${name}`}>
                  {isShown ? 'Hide' : 'Show'}
                </Button>
              </Form>
              <ButtonLink
                to={publicPageUrl.href(state, { dialog: 'edit', testimonial: id })}
                size="sm"
                preventScrollReset
                aria-label={`Edit ${name}`}
              >
                Edit
              </ButtonLink>
            </div>
          </li>
        ))}
      </ul>
      <p className="border-t border-line-soft px-5 py-3 text-sm text-ink-3">
        Your page shows the first {shownTestimonials} that are not hidden.
      </p>
    </>
  )
}

function MoveButton({ id, to, name, disabled }: { id: number; to: 'up' | 'down'; name: string; disabled: boolean }) {
  const Icon = to === 'up' ? ChevronUp : ChevronDown
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="move" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="to" value={to} />
      <button
        type="submit"
        className={`btn btn-ghost btn-sm btn-icon ${disabled ? 'cursor-not-allowed opacity-45' : ''}`}
        aria-label={`Move ${name} ${to}`}
        // Not `disabled`, which would lose the focus once the testimonial is the first or last one.
        aria-disabled={disabled || undefined}
        onClick={(event) => disabled && event.preventDefault()}
      >
        <Icon className="i" />
      </button>
    </Form>
  )
}

function ContactFormSettings() {
  const { hasContactForm, addsProspects, emailVerified, sendsEmail } = useLoaderData<typeof loader>()
  const prospects = addsProspects ? ' An unknown sender becomes a prospect.' : ''
  const email = !sendsEmail
    ? 'Emails about messages are switched off in your settings.'
    : emailVerified
      ? 'You get each message by email.'
      : 'Confirm your email address to get each message by email.'
  return (
    <Form
      method="post"
      className="flex flex-wrap items-center gap-3 border-t border-line-soft px-5 py-5"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="switch" />
      <input type="hidden" name="isOn" value={hasContactForm ? 'off' : 'on'} />
      <p className="min-w-0 flex-1 basis-60 text-ink-2">
        {hasContactForm ? `Visitors can write to you. ${email}${prospects}` : 'Your page has no contact form.'}
      </p>
      <Button type="submit">{hasContactForm ? 'Switch Off' : 'Switch On'}</Button>
    </Form>
  )
}

function Messages() {
  const { messages: received, isFiltered, older, state, prospectName } = useLoaderData<typeof loader>()
  const title = prospectName === null ? 'Contact form messages' : `Messages from ${prospectName}`
  const none = !isFiltered
    ? 'No messages yet. What visitors send with the form appears here.'
    : state.message === null
      ? 'There are no messages here.'
      : 'This message was deleted. It may be in the trash.'
  return (
    <div className="border-t border-line-soft px-5 py-5" id="messages">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{title}</h3>
        {isFiltered && (
          <Link className="link" to={`${publicPageUrl.href()}#messages`} preventScrollReset>
            All messages
          </Link>
        )}
      </div>
      {received.length ? (
        <ul className="mt-3 grid gap-5" aria-label={title}>
          {received.map(({ id, name, email, message, at, person }) => (
            <li key={id} className="min-w-0">
              <p className="wrap-anywhere">
                <span className="font-medium">{name}</span>{' '}
                <a className="link" href={`mailto:${email}`}>
                  {email}
                </a>{' '}
                <span className="text-sm text-ink-3">{at}</span>
              </p>
              <p className="mt-1 whitespace-pre-line text-ink-2 wrap-anywhere">{message}</p>
              <div className="mt-2 flex flex-wrap gap-2">
                {person && (
                  <ButtonLink to={person.to} size="sm" aria-label={`${person.label}: ${name}`}>
                    {person.label}
                  </ButtonLink>
                )}
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="intent" value="delete-message" />
                  <input type="hidden" name="id" value={id} />
                  <Button type="submit" size="sm" variant="ghost" aria-label={`Delete the message of ${name}`}>
                    Delete
                  </Button>
                </Form>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-3 text-ink-3">{none}</p>
      )}
      {older && <LoadOlderLink to={older} />}
    </div>
  )
}
