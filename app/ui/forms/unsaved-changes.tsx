import { useBlocker, useLocation, useNavigate, type Location } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx'
import { useIsomorphicLayoutEffect } from '../use-isomorphic-layout-effect.ts'
import {
  findGuardedForm,
  isDirty,
  leavesForm,
  markAllClean,
  markClean,
  trackForm,
  unsavedLocations,
} from './dirty-forms.ts'

/**
 * Asks for confirmation before the user leaves a form with unsaved changes. Covers every form that has `noValidate`.
 */
export function UnsavedChangesGuard() {
  // Register the blocker only on pages with such a form: an idle blocker breaks native navigations.
  const [isBlocking, setBlocking] = useState(false)
  const location = useLocation()
  useEffect(() => setBlocking([...document.forms].some(({ noValidate }) => noValidate)), [location])

  useIsomorphicLayoutEffect(() => {
    const onFocus = ({ target }: Event) => {
      if (findGuardedForm(target)) setBlocking(true)
    }
    const onInput = ({ target }: Event) => {
      const form = findGuardedForm(target)
      if (!form) return
      trackForm(form)
      setBlocking(true)
    }
    // Changes made before hydration fired no listener.
    for (const form of document.forms) if (form.noValidate && isDirty(form)) trackForm(form)
    // Capture, to run before React submits the form, which is a navigation too.
    const onSubmit = (event: SubmitEvent) => {
      if (!event.defaultPrevented) markClean(event.target as HTMLFormElement)
    }
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (unsavedLocations().length) event.preventDefault()
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('input', onInput)
    document.addEventListener('submit', onSubmit, true)
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('input', onInput)
      document.removeEventListener('submit', onSubmit, true)
      window.removeEventListener('beforeunload', onBeforeUnload)
    }
  }, [])
  return isBlocking ? <LeavePrompt /> : null
}

function LeavePrompt() {
  const blocker = useBlocker(({ nextLocation }) =>
    unsavedLocations().some((location) => leavesForm(location, nextLocation)),
  )
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  // Kept here, because the router forgets what it has blocked when the page reloads its data.
  const [target, setTarget] = useState<Location | null>(null)
  useEffect(() => setTarget(null), [pathname, search])
  useEffect(() => {
    if (blocker.state === 'blocked') setTarget(blocker.location)
  }, [blocker])
  if (!target) return null

  function keepEditing() {
    setTarget(null)
    blocker.reset?.()
  }

  function discard() {
    setTarget(null)
    if (blocker.state === 'blocked') return blocker.proceed()
    markAllClean()
    navigate(target!, { state: target!.state })
  }

  return (
    <Dialog role="alertdialog" title="Discard unsaved changes?" onClose={keepEditing}>
      <DialogBody>
        <p className="text-ink-2">Your changes on this page will be lost.</p>
        <DialogActions>
          <Button onClick={keepEditing} data-autofocus>
            Keep editing
          </Button>
          <Button variant="danger" onClick={discard}>
            Discard
          </Button>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
