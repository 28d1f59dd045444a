import { test } from './test-app.ts'

/**
 * Instants at which dates are easy to get wrong in New York, the coaches' zone. All lie after the default start time.
 */
const timeEdges = {
  'minutes before midnight on New Year’s Eve': '2026-12-31T23:57:00-05:00',
  'minutes after midnight on 29 February': '2028-02-29T00:02:00-05:00',
  'the day the clocks go forward': '2027-03-14T01:40:00-05:00',
  'the day the clocks go back': '2026-11-01T01:40:00-04:00',
}

type Flow = Parameters<typeof test>[2]

/**
 * A main flow is tested as it is, and with all motion on a slow network. With `atTimeEdges` it also runs at each of the
 * time edges. It must wait for what it needs to see, never for time to pass.
 */
export function mainFlow(title: string, flow: Flow, { atTimeEdges = false } = {}): void {
  test(title, flow)
  test.describe('on a slow network', () => {
    test.use({ slowNetwork: true, contextOptions: { reducedMotion: 'no-preference' } })
    test(title, flow)
  })
  if (!atTimeEdges) return
  for (const [name, startTime] of Object.entries(timeEdges))
    test.describe(name, () => {
      test.use({ startTime })
      test(title, flow)
    })
}
