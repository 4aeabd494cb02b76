import { choice, duration } from './setting.ts'

export const KYC = {
  'kyc.import.body': choice(['either', 'shareToken', 'share_token'], {
    on: ['importKyc'],
    notV1: true,
    ref: 'Endpoints: Users, PUT kyc',
    question: 'What is the share-token field of a KYC import called?',
    why: '`shareToken` follows v2, `share_token` is what v1 clients send.',
    strict: 'shareToken',
  }),
  'kyc.linkTtl': duration('30m', {
    on: ['createKycLink'],
    ref: 'Resources: KYC link',
    question: 'How long is a KYC link valid?',
    why: 'Identity providers use minutes to hours.',
  }),
}
