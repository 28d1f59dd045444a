export { callStripe, requireStripe } from './vendor/client.ts'
export { StripeError } from './vendor/errors.ts'
