# In a clone: npm ci && npm pack && docker build --tag ramp-sandbox .
FROM node:22-slim
COPY ramp-sandbox-*.tgz /tmp/
RUN npm install --global /tmp/ramp-sandbox-*.tgz && install -d -o node -g node /data
USER node
WORKDIR /data
EXPOSE 4100
HEALTHCHECK --start-period=10s CMD ["ramp-sandbox", "health"]
ENTRYPOINT ["ramp-sandbox"]
CMD ["start", "--host", "0.0.0.0"]
