import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react'
import type { ToastMessage } from '#app/lib/flash.ts'
import { turnsTaken } from '../dnd/mutation-queue.ts'
import { say } from '../components/toast-bus.ts'

type Words = string | { title: string; text: string }
/** What is said when a form's deed fails, by its `intent` ('' for a form without one); a function gets the address that the form is sent to. */
export type Sorry = Record<string, Words | ((to: URL) => Words)>

/**
 * The `clientAction` of every page that takes forms. When the server is not reached, or answers nothing that can be read, the page
 * stays as it is with what was typed, and a toast says `sorry` of the form's intent; a form of `useServerForm` says it too. So it
 * does when the session has ended: the toast opens the sign-in beside the page.
 * A form waits until the server has heard of all that was moved by hand before it.
 */
export function keepTyped(sorry: Sorry = {}) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    await turnsTaken()
    const form = await request.clone().formData()
    const to = new URL(request.url)
    const stay = ({ toast, problem }: Failed) => {
      say(toast)
      loadNothing()
      return leavesThePage(to) ? hereAgain() : refusal(form, problem)
    }
    try {
      return wasSignedOut && (await isSomebodyElse()) ? stay(somebodyElse) : await serverAction()
    } catch (error) {
      // Who went on meanwhile is not called back.
      const failed = request.signal.aborted
        ? null
        : (signedOut(error) ?? broken(error, sorry[String(form.get('intent') ?? '')], to))
      if (!failed) throw error
      return stay(failed)
    }
  }
}

/** What is said of a failure: in a toast, and by the form. */
type Failed = { toast: ToastMessage; problem: string }

/** What the server says to a form whose sender's session has ended; null for everything else. */
function signedOut(error: unknown): Failed | null {
  if (!isRouteErrorResponse(error) || error.status !== 401) return null
  wasSignedOut = true
  const toast: ToastMessage = error.data
  return {
    toast: { ...toast, link: signInBeside },
    problem: `${toast.title}. Sign in from another tab, then send this again: what you typed stays here.`,
  }
}

let wasSignedOut = false

/** Who shares a browser must not save into the practice of whoever signed in meanwhile. */
async function isSomebodyElse(): Promise<boolean> {
  const { shell } = window.__remixRouter.state.loaderData
  const answer = await fetch('/api/user', { cache: 'no-store' })
  return shell !== undefined && answer.ok && (await answer.json()).email !== shell.user.email
}

const somebodyElse: Failed = {
  toast: {
    tone: 'error',
    title: 'You are signed in as somebody else',
    text: 'What you sent was not saved. Sign in as who began it, or load the page anew.',
  },
  problem:
    'Somebody else is signed in by now. Sign in as who began this, then send it again: what you typed stays here.',
}

/** For a toast: signing in takes nothing away from the page. */
export const signInBeside = { label: 'Sign In', to: '/auth', newTab: true } as const

/** Null for redirects and refusals with a page of their own: they are no errors. */
function broken(error: unknown, words: Sorry[string] = 'This did not work. Please try again.', to: URL): Failed | null {
  if (!(error instanceof Error)) return null
  const said = typeof words === 'function' ? words(to) : words
  const { title, text } = typeof said === 'string' ? { title: 'Error', text: said } : said
  return {
    toast: { tone: 'error', title, text },
    problem: `${text.replace(/[^.]$/, '$&.')} ${error instanceof TypeError ? 'The server could not be reached; what' : 'What'} you typed stays here.`,
  }
}

/** A form that a page sends to another one would go there, and load what can't be loaded. A fetcher stays in any case. */
function leavesThePage(to: URL): boolean {
  const { state, formAction } = window.__remixRouter.state.navigation
  return (
    state === 'submitting' &&
    new URL(formAction, to).href === to.href &&
    to.pathname + to.search !== window.location.pathname + window.location.search
  )
}

let loadingNothing = false

/** After an action the router would load the page anew, which would fail as well, and take it away. */
function loadNothing(): void {
  // Of two that fail at once the second must not take what the first has set for what was there before.
  if (loadingNothing) return
  loadingNothing = true
  const router = window.__remixRouter
  const routes = router.state.matches.map(({ route }) => route)
  const before = routes.map(({ shouldRevalidate }) => shouldRevalidate)
  for (const route of routes) route.shouldRevalidate = () => false
  const end = router.subscribe(({ navigation, fetchers }) => {
    if ([navigation, ...fetchers.values()].some(({ state }) => state !== 'idle')) return
    for (const [at, route] of routes.entries()) route.shouldRevalidate = before[at]!
    loadingNothing = false
    end()
  })
}

/** To the page that is on the screen. */
function hereAgain(): Response {
  const { pathname, search } = window.location
  return new Response(null, {
    status: 302,
    headers: { Location: `${pathname}${search}#here`, 'X-Remix-Replace': 'true' },
  })
}

function refusal(form: FormData, problem: string): Response {
  const kept = [...form].filter(([name, value]) => typeof value === 'string' && !/password/i.test(name))
  return Response.json(
    { result: { status: 'error', initialValue: Object.fromEntries(kept), error: { '': [problem] } } },
    { status: 503 },
  )
}
