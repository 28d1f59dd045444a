import type { Server } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const seconds = 10
/** Requests in that time: more is work, less is rest (a probe that asks how one is doing). */
const work = 100
const rest = 10

/**
 * Gives back what a busy time took, once few ask any more. V8 looks at its memory when there is work, so by itself it keeps
 * that of the busiest minute until the next one.
 */
export function tidyAtRest(server: Server): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let asked = 0
  let untidy = false
  server.on('request', () => {
    asked++
  })
  const watch = setInterval(() => {
    if (untidy && asked < rest) {
      collect()
      untidy = false
    }
    untidy ||= asked > work
    asked = 0
  }, seconds * 1000)
  watch.unref()
  server.once('close', () => clearInterval(watch))
}
