import 'reflect-metadata'
import { Controller, HttpCode, Module, Post, Req, UnauthorizedException } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { isGenuine } from './webhook.js'

@Controller()
class WebhookController {
  @Post('webhooks')
  @HttpCode(204)
  receive(@Req() request) {
    if (!isGenuine(request.headers, request.rawBody)) throw new UnauthorizedException()
    const event = JSON.parse(request.rawBody)
    console.log(event.type, event.payload.status)
  }
}

@Module({ controllers: [WebhookController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { rawBody: true })
await app.listen(process.env.PORT ?? 3000)
