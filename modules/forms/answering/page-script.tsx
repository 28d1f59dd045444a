import { findHidden } from '../conditions.ts'

/**
 * The only script of the page, which works without it: shows and hides questions as they are answered, and keeps the
 * answers while somebody types.
 */
const source = `
(() => {
  const form = document.getElementById('answers')
  if (!form) return
  const findHidden = ${findHidden.toString()}
  const questions = JSON.parse(form.dataset.questions)
  const status = document.getElementById('save-state')
  const address = '/api/form-answers'
  const type = 'application/json'
  const delay = 1200
  const retryDelay = 8000
  let changed = false, saving = null, timer = 0, stopped = false, leaving = false

  const readAnswers = () => {
    const data = new FormData(form)
    const answers = {}
    for (const { id, multiple } of questions) {
      const texts = data.getAll('q-' + id).filter((text) => typeof text === 'string' && text !== '')
      if (texts.length) answers[id] = multiple ? texts : texts[0]
    }
    return answers
  }
  const showQuestions = () => {
    const hidden = findHidden(questions, readAnswers())
    for (const element of form.querySelectorAll('[data-question]'))
      element.hidden = hidden.includes(element.dataset.question)
  }
  const showErrors = (issues) => {
    for (const error of form.querySelectorAll('.error[id]')) error.hidden = true
    for (const { path, message } of issues || []) {
      const error = document.getElementById(path + '-error')
      if (!error) continue
      error.querySelector('[data-error-text]').textContent = message
      error.hidden = false
    }
  }
  const say = (text) => { status.textContent = text }
  const schedule = (ms) => { clearTimeout(timer); timer = setTimeout(save, ms) }
  // A save under way raises the version by one.
  const toBody = (savesUnderWay = 0) => {
    const data = new FormData(form)
    const answers = {}
    for (const { id } of questions) {
      const texts = data.getAll('q-' + id).filter((text) => text !== '')
      if (texts.length) answers[id] = texts
    }
    return JSON.stringify({
      token: location.pathname.split('/').pop(),
      version: Number(data.get('version')) + savesUnderWay,
      formVersionId: Number(data.get('formVersionId')),
      answers,
    })
  }

  async function send() {
    changed = false
    try {
      const body = new Blob([toBody()], { type })
      // Goes on when the page is closed. Browsers refuse more than 64 kB of it.
      const keepalive = body.size < 60000
      const response = await fetch(address, { method: 'POST', headers: { 'Content-Type': type }, body, keepalive })
      const reply = await response.json()
      if (response.ok) {
        form.elements.version.value = reply.version
        showErrors([])
        if (!changed) say('All answers are saved.')
        return
      }
      changed = true
      showErrors(reply.issues)
      if (response.status === 429) return schedule(retryDelay)
      if (response.status === 422) return say('Not saved yet: ' + reply.message)
      stopped = true
      say(reply.message + (response.status === 409 ? ' Press “Save and continue later” to see what is kept.' : ''))
    } catch {
      changed = true
      say('Not saved yet: there is no connection. Trying again.')
      schedule(retryDelay)
    }
  }
  function save() {
    clearTimeout(timer)
    if (stopped || leaving || !changed) return saving
    if (!saving) saving = send().finally(() => {
      saving = null
    })
    return saving
  }

  form.addEventListener('input', () => {
    changed = true
    showQuestions()
    if (stopped) return
    say('Saving…')
    schedule(delay)
  })
  addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    const submitted = event.target
    const { submitter } = event
    const isAnswers = submitted === form
    if (leaving) return event.preventDefault()
    // The answers that are being saved have a newer version than the page; files come after what was typed.
    if (saving || (!isAnswers && changed && !stopped)) {
      event.preventDefault()
      Promise.resolve(isAnswers ? saving : save()).then(() => {
        if (isAnswers || !changed) submitted.requestSubmit(submitter)
      })
      return
    }
    leaving = true
    clearTimeout(timer)
  })
  addEventListener('pagehide', () => {
    if (!changed || leaving || stopped) return
    navigator.sendBeacon(address, new Blob([toBody(saving ? 1 : 0)], { type }))
  })
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload() })
  for (const note of form.querySelectorAll('[data-condition-note]')) note.hidden = true
  showQuestions()
})()`

export function PageScript({ nonce }: { nonce: string }) {
  // oxlint-disable-next-line react/no-danger -- a constant, which React would escape
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: source }} />
}
