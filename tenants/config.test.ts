import { expect, test } from 'vitest'
import { listFormTargets, parseConfig } from './config.ts'

const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }

test('Google is connected with an id and a secret, not with one of them', () => {
  expect(parseConfig({}).google).toBeUndefined()
  expect(parseConfig(google).google).toEqual({ clientId: 'id', clientSecret: 'secret', baseUrl: undefined })
  for (const name of ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'])
    expect(() => parseConfig({ ...google, [name]: '' })).toThrow(/GOOGLE_CLIENT_\w+ can't be used: it needs GOOGLE_/)
})

test('the address of a vendor is https, or on this machine', () => {
  const getUrl = (GOOGLE_BASE_URL: string) => parseConfig({ ...google, GOOGLE_BASE_URL }).google?.baseUrl
  expect(getUrl('http://127.0.0.1:4000/')).toBe('http://127.0.0.1:4000')
  expect(getUrl('https://google.example.com')).toBe('https://google.example.com')
  expect(() => getUrl('http://google.example.com')).toThrow(/GOOGLE_BASE_URL can't be used: it must begin with https/)
  expect(() => getUrl('google')).toThrow(/GOOGLE_BASE_URL can't be used/)
})

test('Stripe is connected with a secret key; nothing else of it counts alone', () => {
  expect(parseConfig({}).stripe).toBeUndefined()
  expect(listFormTargets(parseConfig({}))).toEqual([])
  const connected = parseConfig({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })
  expect(connected.stripe).toMatchObject({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', baseUrl: undefined })
  expect(listFormTargets(connected)).toContain('https://checkout.stripe.com')
  expect(() => parseConfig({ STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toThrow(/it needs STRIPE_SECRET_KEY/)
  expect(() => parseConfig({ STRIPE_SECRET_KEY: 'pk_test_1' })).toThrow(/it must begin with sk_ or rk_/)
})

test('the endpoint for summaries has an address and a model, and perhaps a key', () => {
  const endpoint = { SUMMARIZER_BASE_URL: 'https://api.example.com/v1/', SUMMARIZER_MODEL: 'small' }
  expect(parseConfig({}).summarizer).toBeUndefined()
  expect(parseConfig(endpoint).summarizer).toEqual({
    baseUrl: 'https://api.example.com',
    apiKey: undefined,
    model: 'small',
  })
  expect(parseConfig({ ...endpoint, SUMMARIZER_API_KEY: 'key' }).summarizer?.apiKey).toBe('key')
  for (const name of ['SUMMARIZER_BASE_URL', 'SUMMARIZER_MODEL'])
    expect(() => parseConfig({ ...endpoint, [name]: '' })).toThrow(/it needs SUMMARIZER_/)
  expect(() => parseConfig({ SUMMARIZER_API_KEY: 'key' })).toThrow(/it needs SUMMARIZER_BASE_URL/)
})

test('Zoom is connected with an id and a secret; nothing else of it counts alone', () => {
  const zoom = { ZOOM_CLIENT_ID: 'id', ZOOM_CLIENT_SECRET: 'secret' }
  expect(parseConfig({}).zoom).toBeUndefined()
  expect(parseConfig(zoom).zoom).toEqual({ clientId: 'id', clientSecret: 'secret' })
  for (const name of ['ZOOM_CLIENT_ID', 'ZOOM_CLIENT_SECRET'])
    expect(() => parseConfig({ ...zoom, [name]: '' })).toThrow(/ZOOM_CLIENT_\w+ can't be used: it needs ZOOM_/)
  expect(() => parseConfig({ ZOOM_WEBHOOK_SECRET: 'x' })).toThrow(/it needs ZOOM_CLIENT_ID/)
})

test('traces need an endpoint; their share is from 0 to 1', () => {
  expect(parseConfig({}).tracing).toBeUndefined()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' }
  expect(parseConfig(endpoint).tracing).toEqual({
    endpoint: 'http://localhost:4318',
    headers: {},
    serviceName: 'practice',
    ratio: 1,
  })
  const headers = { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc=, x-team=a' }
  expect(parseConfig(headers).tracing?.headers).toEqual({ authorization: 'Bearer abc=', 'x-team': 'a' })
  expect(() => parseConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toThrow(/it needs OTEL_EXPORTER_OTLP_ENDPOINT/)
  expect(() => parseConfig({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a' })).toThrow(/it must be a list such as/)
  for (const share of ['1.5', '-1', 'half'])
    expect(() => parseConfig({ ...endpoint, OTEL_TRACES_SAMPLER_ARG: share })).toThrow(/it must be a share from 0 to 1/)
})
